/** A look back at an earlier position of the game that is played; the game waits or goes on, as it likes. */

import type { Game } from "./game.js";
import type { Positions } from "./positions.js";
import type { GameState, View } from "./protocol.js";
import { Signal } from "./signal.js";

export class Flashback {
  /** How many moves had been played there; null for the game as it stands. */
  readonly ply = new Signal<number | null>(null);
  /** What stood there. Until the server has told it, the position before stays in sight. */
  view: View | null = null;

  constructor(
    private readonly game: Game,
    private readonly positions: Positions,
  ) {}

  /** Look at the position after some moves; the last of all is the game itself. */
  go(ply: number): void {
    const state = this.game.state.value;
    if (!state) return;
    const wanted = Math.max(0, ply);
    if (wanted >= state.moves.length) {
      this.end();
      return;
    }
    this.ply.set(wanted);
    const { game, setup } = state;
    const moves = state.moves.slice(0, wanted);
    this.positions.look(setup ? { game, moves, setup } : { game, moves }).then(
      (view) => {
        if (this.ply.value !== wanted || this.game.state.value?.game !== game) return;
        this.view = view;
        this.ply.set(wanted);
      },
      () => this.end(),
    );
  }

  step(by: number): void {
    this.go((this.ply.value ?? this.game.state.value?.moves.length ?? 0) + by);
  }

  /** Back to the game. */
  end(): void {
    this.view = null;
    if (this.ply.value !== null) this.ply.set(null);
  }

  /** The game has changed: what is no part of it any more is not looked at, nor what was taken back from. */
  keepUp(before: GameState | null, state: GameState): void {
    const goesOn = before?.game === state.game && before.moves.every((move, i) => state.moves[i] === move);
    if (!goesOn) this.end();
  }
}
