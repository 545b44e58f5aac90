import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";
const KEY = "tengen.game";
export const FIRST_TERMS = {
    game: "gomoku",
    first: "human",
    second: "greedy",
    protocol: null,
    seconds: null,
    clock: null,
    setup: null,
};
function areSeated(told, asked) {
    return told.first === (asked.first || "human") && told.second === (asked.second || "human");
}
export class Game {
    connection;
    first;
    state = new Signal(null);
    hint = new Signal(null);
    asking = false;
    #told = 0;
    #waiting = null;
    constructor(connection, first) {
        this.connection = connection;
        this.first = first;
        connection.status.listen((status) => {
            if (status === "open")
                this.#resume();
        });
        connection.listen((message) => {
            if (message.type === "state")
                this.#take(message);
            else if (message.type === "hint")
                this.#advise(message.ply, message.move);
            else if (message.type === "error")
                this.#refused(message.do);
        });
    }
    #resume() {
        const snapshot = kept(sessionStorage, KEY) ?? kept(localStorage, KEY);
        if (this.#waiting)
            this.start(...this.#waiting);
        else if (snapshot)
            this.connection.send({ do: "restore", snapshot });
        else
            this.start(this.first);
    }
    #take(state) {
        this.#told = performance.now();
        this.asking = false;
        this.hint.set(null);
        keep(sessionStorage, KEY, state.snapshot);
        keep(localStorage, KEY, state.snapshot);
        this.state.set(state);
    }
    #advise(ply, move) {
        this.asking = false;
        if (this.state.value?.moves.length === ply)
            this.hint.set(move);
    }
    #refused(what) {
        if (what === "restore")
            this.start(this.first);
        if (what === "hint") {
            this.asking = false;
            this.hint.set(null);
        }
    }
    start(terms, moves) {
        const sent = this.connection.send({ do: "new", terms, moves });
        this.#waiting = sent ? null : [terms, moves];
        return sent;
    }
    begun(terms, moves) {
        return new Promise((resolve) => {
            const endings = [
                this.connection.listen((message) => {
                    if (message.type === "state" && areSeated(message.snapshot.terms, terms))
                        finish(true);
                    else if (message.type === "error" && message.do === "new")
                        finish(false);
                }),
                this.connection.status.listen((status) => status === "lost" && finish(false)),
            ];
            const finish = (begun) => {
                for (const end of endings)
                    end();
                resolve(begun);
            };
            if (!this.start(terms, moves))
                finish(true);
        });
    }
    play(move) {
        this.connection.send({ do: "play", move });
    }
    choose(choice) {
        this.connection.send({ do: "choose", choice });
    }
    undo() {
        this.connection.send({ do: "undo" });
    }
    resign() {
        this.connection.send({ do: "resign" });
    }
    agreeDraw() {
        this.connection.send({ do: "draw" });
    }
    askHint() {
        this.asking = this.connection.send({ do: "hint" });
        this.hint.set(null);
    }
    left(side) {
        const clocks = this.state.value?.clocks;
        if (!clocks)
            return null;
        const spent = clocks.running === side ? (performance.now() - this.#told) / 1000 : 0;
        return Math.max(0, clocks[side] - spent);
    }
    get myTurn() {
        const state = this.state.value;
        return state !== null && !state.outcome && !state.thinking;
    }
    get shared() {
        const terms = this.state.value?.snapshot.terms;
        return terms?.first === "human" && terms.second === "human";
    }
}
