/** The game that is being played: what the server says of it, and what is kept for the next visit. */

import type { Connection } from "./connection.js";
import { type GameState, type Side, type Snapshot, type Terms } from "./protocol.js";
import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";
import { explain } from "./troubles.js";

const KEY = "tengen.game";
const REFUSED = "tengen.game.refused"; // what the server would not bring back: nothing of a person's is thrown away

export const FIRST_TERMS: Terms = {
  game: "gomoku",
  first: "human",
  second: "greedy:margin=1", // level 3: somebody new here may win
  protocol: null,
  seconds: null,
  clock: null,
  setup: null,
};

/** Whether a game is between those asked for: a move of the game before it may come first. */
function areSeated(told: Terms, asked: Terms): boolean {
  return told.first === (asked.first || "human") && told.second === (asked.second || "human");
}

/** What two snapshots of one position have in common: all but the clocks, which run by themselves. */
function gist(snapshot: Snapshot | null): string {
  return JSON.stringify({ ...snapshot, left: null });
}

export class Game {
  readonly state = new Signal<GameState | null>(null);
  readonly hint = new Signal<string | null>(null);
  /** Why the game that was kept could not be brought back. */
  readonly refused = new Signal<string>("");
  #told = 0; // when the clocks were told
  #stopped: number | null = null; // when the connection was lost: the clocks stand still until it is back
  #askedAt: GameState | null = null; // where a hint was asked for that has not come
  #isActing = false; // a move is on its way
  #waiting: [Terms, string[]?] | null = null; // asked for without a connection

  constructor(
    readonly connection: Connection,
    private readonly first: Terms,
  ) {
    connection.status.listen((status) => {
      if (status === "lost") this.#halt();
      if (status === "open") this.#resume();
    });
    addEventListener("pagehide", () => this.#keepClocks(true));
    setInterval(() => this.#keepClocks(false), 1000);
    connection.listen((message) => {
      if (message.type === "state") this.#take(message);
      else if (message.type === "hint") this.#advise(message.ply, message.move);
      else if (message.type === "error") this.#refuse(message.do, explain(message));
    });
  }

  #resume(): void {
    // A tab's own game first: two tabs are two games. The server may be new, and plays it again.
    const snapshot = kept<Snapshot>(sessionStorage, KEY) ?? kept<Snapshot>(localStorage, KEY);
    if (this.#waiting) this.start(...this.#waiting);
    else if (snapshot) this.connection.send({ do: "restore", snapshot });
    else this.start(this.first);
  }

  #halt(): void {
    this.#stopped ??= performance.now();
    this.#isActing = false;
    this.#askedAt = null;
    this.#keepClocks(true);
  }

  #take(state: GameState): void {
    this.#told = performance.now();
    this.#stopped = null;
    this.#isActing = false;
    this.#askedAt = null;
    this.hint.set(null);
    this.#keep(state.snapshot, true);
    this.state.set(state);
  }

  /** For a reload of this tab, and for the next visit: that is the game of the tab in which something was done last. */
  #keep(snapshot: Snapshot, forNextVisit: boolean): void {
    const [mine, newest] = [sessionStorage, localStorage].map((storage) => gist(kept<Snapshot>(storage, KEY)));
    keep(sessionStorage, KEY, snapshot);
    if (forNextVisit && (gist(snapshot) !== mine || newest === mine)) keep(localStorage, KEY, snapshot);
  }

  /** Keep what the clocks show now: a reload gives no time back. */
  #keepClocks(forNextVisit: boolean): void {
    const state = this.state.value;
    if (!state?.clocks?.running) return;
    state.snapshot.left = [this.left("black") ?? 0, this.left("white") ?? 0];
    this.#keep(state.snapshot, forNextVisit);
  }

  #advise(ply: number, move: string): void {
    // One that was asked for elsewhere is none here, whatever its ply.
    if (!this.#askedAt || this.#askedAt !== this.state.value || ply !== this.state.value.moves.length) return;
    this.#askedAt = null;
    this.hint.set(move);
  }

  #refuse(what: string | null, reason: string): void {
    if (what === "restore") {
      keep(localStorage, REFUSED, kept(sessionStorage, KEY) ?? kept(localStorage, KEY));
      this.start(this.first);
      this.refused.set(reason);
    }
    if (what === "play" || what === "choose") this.#isActing = false;
    if (what === "hint") {
      this.#askedAt = null;
      this.hint.set(null);
    }
  }

  /** Begin a game; with moves, after those. Whether the server could be asked now; else it is when it is back. */
  start(terms: Terms, moves?: string[]): boolean {
    const sent = this.connection.send({ do: "new", terms, moves });
    this.#waiting = sent ? null : [terms, moves];
    return sent;
  }

  /** As `start`; whether the server took it, or will be asked when it is back. */
  begun(terms: Terms, moves?: string[]): Promise<boolean> {
    return new Promise((resolve) => {
      const endings = [
        this.connection.listen((message) => {
          if (message.type === "state" && areSeated(message.snapshot.terms, terms)) finish(true);
          else if (message.type === "error" && message.do === "new") finish(false);
        }),
        this.connection.status.listen((status) => status === "lost" && finish(false)),
      ];
      const finish = (begun: boolean) => {
        for (const end of endings) end();
        resolve(begun);
      };
      if (!this.start(terms, moves)) finish(true);
    });
  }

  play(move: string): void {
    this.#isActing = this.connection.send({ do: "play", move });
  }

  choose(choice: string): void {
    this.#isActing = this.connection.send({ do: "choose", choice });
  }

  undo(): void {
    this.connection.send({ do: "undo" });
  }

  /** Play again what was taken back last. */
  redo(): void {
    this.connection.send({ do: "redo" });
  }

  resign(): void {
    this.connection.send({ do: "resign" });
  }

  /** Between two people a draw; else the program may refuse. */
  proposeDraw(): void {
    this.connection.send({ do: "draw" });
  }

  /** What holds a game of two programs, or lets it go on, or on by one move. */
  drive(how: "pause" | "resume" | "step"): void {
    this.connection.send({ do: how });
  }

  askHint(): void {
    this.#askedAt = this.connection.send({ do: "hint" }) ? this.state.value : null;
    this.hint.set(null);
  }

  /** Whether a hint was asked for and has not come. */
  get asking(): boolean {
    return this.#askedAt !== null;
  }

  /** Seconds that a side has left now. */
  left(side: Side): number | null {
    const clocks = this.state.value?.clocks;
    if (!clocks) return null;
    const spent = clocks.running === side ? ((this.#stopped ?? performance.now()) - this.#told) / 1000 : 0;
    return Math.max(0, clocks[side] - spent);
  }

  /** Whether the server was lost: nothing can be asked for. */
  get away(): boolean {
    return this.connection.status.value === "lost";
  }

  /** Who is to act; null when nobody is. */
  get acting(): string | null {
    const state = this.state.value;
    if (!state || state.outcome) return null;
    const seat = state.opening?.seat;
    return seat ? state.snapshot.terms[seat] : state.players[state.to_move];
  }

  /** Whether a person is to act, and can. */
  get myTurn(): boolean {
    return this.acting === "human" && !this.#isActing && !this.away;
  }

  /** Whether two people share the board. */
  get shared(): boolean {
    const terms = this.state.value?.snapshot.terms;
    return terms?.first === "human" && terms.second === "human";
  }

  /** Whether nobody plays but programs. */
  get programs(): boolean {
    const terms = this.state.value?.snapshot.terms;
    return terms !== undefined && terms.first !== "human" && terms.second !== "human";
  }
}
