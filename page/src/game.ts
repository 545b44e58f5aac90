/** The game that is being played: what the server says of it, and what is kept for the next visit. */

import type { Connection } from "./connection.js";
import { type GameState, type Side, type Snapshot, type Terms } from "./protocol.js";
import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";

const KEY = "tengen.game";

export const FIRST_TERMS: Terms = {
  game: "gomoku",
  first: "human",
  second: "greedy", // level 3: somebody new here may win
  protocol: null,
  seconds: null,
  clock: null,
  setup: null,
};

/** Whether a game is between those asked for: a move of the game before it may come first. */
function areSeated(told: Terms, asked: Terms): boolean {
  return told.first === (asked.first || "human") && told.second === (asked.second || "human");
}

export class Game {
  readonly state = new Signal<GameState | null>(null);
  readonly hint = new Signal<string | null>(null);
  /** Whether a hint was asked for and has not come. */
  asking = false;
  #told = 0; // when the clocks were told
  #waiting: [Terms, string[]?] | null = null; // asked for without a connection

  constructor(
    readonly connection: Connection,
    private readonly first: Terms,
  ) {
    connection.status.listen((status) => {
      if (status === "open") this.#resume();
    });
    connection.listen((message) => {
      if (message.type === "state") this.#take(message);
      else if (message.type === "hint") this.#advise(message.ply, message.move);
      else if (message.type === "error") this.#refused(message.do);
    });
  }

  #resume(): void {
    // A tab's own game first: two tabs are two games. The server may be new, and plays it again.
    const snapshot = kept<Snapshot>(sessionStorage, KEY) ?? kept<Snapshot>(localStorage, KEY);
    if (this.#waiting) this.start(...this.#waiting);
    else if (snapshot) this.connection.send({ do: "restore", snapshot });
    else this.start(this.first);
  }

  #take(state: GameState): void {
    this.#told = performance.now();
    this.asking = false;
    this.hint.set(null);
    keep(sessionStorage, KEY, state.snapshot);
    keep(localStorage, KEY, state.snapshot);
    this.state.set(state);
  }

  #advise(ply: number, move: string): void {
    this.asking = false;
    if (this.state.value?.moves.length === ply) this.hint.set(move);
  }

  #refused(what: string | null): void {
    if (what === "restore") this.start(this.first);
    if (what === "hint") {
      this.asking = false;
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
    this.connection.send({ do: "play", move });
  }

  choose(choice: string): void {
    this.connection.send({ do: "choose", choice });
  }

  undo(): void {
    this.connection.send({ do: "undo" });
  }

  resign(): void {
    this.connection.send({ do: "resign" });
  }

  agreeDraw(): void {
    this.connection.send({ do: "draw" });
  }

  askHint(): void {
    this.asking = this.connection.send({ do: "hint" });
    this.hint.set(null);
  }

  /** Seconds that a side has left now. */
  left(side: Side): number | null {
    const clocks = this.state.value?.clocks;
    if (!clocks) return null;
    const spent = clocks.running === side ? (performance.now() - this.#told) / 1000 : 0;
    return Math.max(0, clocks[side] - spent);
  }

  /** Whether a person is to act. */
  get myTurn(): boolean {
    const state = this.state.value;
    return state !== null && !state.outcome && !state.thinking;
  }

  /** Whether two people share the board. */
  get shared(): boolean {
    const terms = this.state.value?.snapshot.terms;
    return terms?.first === "human" && terms.second === "human";
  }
}
