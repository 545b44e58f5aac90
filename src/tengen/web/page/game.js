import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";
import { explain } from "./troubles.js";
const KEY = "tengen.game";
const REFUSED = "tengen.game.refused";
export const FIRST_TERMS = {
    game: "gomoku",
    first: "human",
    second: "greedy:margin=1",
    protocol: null,
    seconds: null,
    clock: null,
    setup: null,
};
function areSeated(told, asked) {
    return told.first === (asked.first || "human") && told.second === (asked.second || "human");
}
function gist(snapshot) {
    return JSON.stringify({ ...snapshot, left: null });
}
export class Game {
    connection;
    first;
    state = new Signal(null);
    hint = new Signal(null);
    refused = new Signal("");
    #told = 0;
    #stopped = null;
    #askedAt = null;
    #isActing = false;
    #waiting = null;
    constructor(connection, first) {
        this.connection = connection;
        this.first = first;
        connection.status.listen((status) => {
            if (status === "lost")
                this.#halt();
            if (status === "open")
                this.#resume();
        });
        addEventListener("pagehide", () => this.#keepClocks(true));
        setInterval(() => this.#keepClocks(false), 1000);
        connection.listen((message) => {
            if (message.type === "state")
                this.#take(message);
            else if (message.type === "hint")
                this.#advise(message.ply, message.move);
            else if (message.type === "error")
                this.#refuse(message.do, explain(message));
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
    #halt() {
        this.#stopped ??= performance.now();
        this.#isActing = false;
        this.#askedAt = null;
        this.#keepClocks(true);
    }
    #take(state) {
        this.#told = performance.now();
        this.#stopped = null;
        this.#isActing = false;
        this.#askedAt = null;
        this.hint.set(null);
        this.#keep(state.snapshot, true);
        this.state.set(state);
    }
    #keep(snapshot, forNextVisit) {
        const [mine, newest] = [sessionStorage, localStorage].map((storage) => gist(kept(storage, KEY)));
        keep(sessionStorage, KEY, snapshot);
        if (forNextVisit && (gist(snapshot) !== mine || newest === mine))
            keep(localStorage, KEY, snapshot);
    }
    #keepClocks(forNextVisit) {
        const state = this.state.value;
        if (!state?.clocks?.running)
            return;
        state.snapshot.left = [this.left("black") ?? 0, this.left("white") ?? 0];
        this.#keep(state.snapshot, forNextVisit);
    }
    #advise(ply, move) {
        if (!this.#askedAt || this.#askedAt !== this.state.value || ply !== this.state.value.moves.length)
            return;
        this.#askedAt = null;
        this.hint.set(move);
    }
    #refuse(what, reason) {
        if (what === "restore") {
            keep(localStorage, REFUSED, kept(sessionStorage, KEY) ?? kept(localStorage, KEY));
            this.start(this.first);
            this.refused.set(reason);
        }
        if (what === "play" || what === "choose")
            this.#isActing = false;
        if (what === "hint") {
            this.#askedAt = null;
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
        this.#isActing = this.connection.send({ do: "play", move });
    }
    choose(choice) {
        this.#isActing = this.connection.send({ do: "choose", choice });
    }
    undo() {
        this.connection.send({ do: "undo" });
    }
    redo() {
        this.connection.send({ do: "redo" });
    }
    resign() {
        this.connection.send({ do: "resign" });
    }
    proposeDraw() {
        this.connection.send({ do: "draw" });
    }
    drive(how) {
        this.connection.send({ do: how });
    }
    askHint() {
        this.#askedAt = this.connection.send({ do: "hint" }) ? this.state.value : null;
        this.hint.set(null);
    }
    get asking() {
        return this.#askedAt !== null;
    }
    left(side) {
        const clocks = this.state.value?.clocks;
        if (!clocks)
            return null;
        const spent = clocks.running === side ? ((this.#stopped ?? performance.now()) - this.#told) / 1000 : 0;
        return Math.max(0, clocks[side] - spent);
    }
    get away() {
        return this.connection.status.value === "lost";
    }
    get acting() {
        const state = this.state.value;
        if (!state || state.outcome)
            return null;
        const seat = state.opening?.seat;
        return seat ? state.snapshot.terms[seat] : state.players[state.to_move];
    }
    get myTurn() {
        return this.acting === "human" && !this.#isActing && !this.away;
    }
    get shared() {
        const terms = this.state.value?.snapshot.terms;
        return terms?.first === "human" && terms.second === "human";
    }
    get programs() {
        const terms = this.state.value?.snapshot.terms;
        return terms !== undefined && terms.first !== "human" && terms.second !== "human";
    }
}
