import { Signal } from "./signal.js";
export class Flashback {
    game;
    positions;
    ply = new Signal(null);
    view = null;
    constructor(game, positions) {
        this.game = game;
        this.positions = positions;
    }
    go(ply) {
        const state = this.game.state.value;
        if (!state)
            return;
        const wanted = Math.max(0, ply);
        if (wanted >= state.moves.length) {
            this.end();
            return;
        }
        this.ply.set(wanted);
        const { game, setup } = state;
        const moves = state.moves.slice(0, wanted);
        this.positions.look(setup ? { game, moves, setup } : { game, moves }).then((view) => {
            if (this.ply.value !== wanted || this.game.state.value?.game !== game)
                return;
            this.view = view;
            this.ply.set(wanted);
        }, () => this.end());
    }
    step(by) {
        this.go((this.ply.value ?? this.game.state.value?.moves.length ?? 0) + by);
    }
    end() {
        this.view = null;
        if (this.ply.value !== null)
            this.ply.set(null);
    }
    keepUp(before, state) {
        const goesOn = before?.game === state.game && before.moves.every((move, i) => state.moves[i] === move);
        if (!goesOn)
            this.end();
    }
}
