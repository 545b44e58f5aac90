/** What goes over the wire; src/tengen/web/session.py is the other end. */

import type { Trouble } from "./troubles.js";

export type Side = "black" | "white";
export type Kind = "gomoku" | "othello";

export interface Setup {
  black: string[];
  white: string[];
  to_move: Side;
}

export interface PositionRef {
  game: string;
  moves: string[];
  setup?: Setup;
}

export interface Outcome {
  winner: Side | null;
  reason: string;
  line: string[];
}

export interface View {
  game: string;
  kind: Kind;
  size: number;
  cells: string;
  moves: string[];
  setup: Setup | null;
  to_move: Side;
  legal: string[];
  forbidden: string[];
  last: string | null;
  score: [number, number];
  outcome: Outcome | null;
}

export interface Opening {
  protocol: string;
  phase: "place" | "choose" | "done";
  seat: "first" | "second" | null;
  remaining: number;
  choices: string[];
}

export interface Clocks {
  black: number;
  white: number;
  running: Side | null;
}

export interface Terms {
  game: string;
  first: string;
  second: string;
  protocol: string | null;
  seconds: number | null;
  clock: string | null;
  /** The stones that the game begins with, if not as the rules have it. */
  setup: Setup | null;
}

/** What brings a game back; kept as it came. */
export interface Snapshot {
  terms: Terms;
  moves: string[];
  /** What was chosen in a swap opening. */
  choices: string[];
  /** Seconds on black's and on white's clock. */
  left: [number, number];
}

export interface GameState extends View {
  players: Record<Side, string | null>;
  opening: Opening | null;
  clocks: Clocks | null;
  thinking: boolean;
  /** Whether there is a move to take back. */
  can_undo: boolean;
  /** Whether what was taken back can be played again. */
  can_redo: boolean;
  /** Whether a person may propose a draw now. */
  can_draw: boolean;
  /** Whether two programs wait to go on. */
  paused: boolean;
  snapshot: Snapshot;
}

export interface Line {
  moves: string[];
  depth: number;
  value: number | null;
  score: number;
  proof: null | "won" | "lost" | "exact";
  distance: number | null;
}

export interface Analysis {
  id: number;
  done: boolean;
  /** Of one that is done: others were waiting for its place. */
  gave_way?: boolean;
  game: string;
  moves: string[];
  to_move: Side;
  depth: number;
  selective_depth: number;
  nodes: number;
  seconds: number;
  nodes_per_second: number;
  lines: Line[];
  heat?: Record<string, [string, number][]>;
}

export type ServerMessage =
  | ({ type: "state" } & GameState)
  | ({ type: "view"; id: number } & View)
  | ({ type: "analysis" } & Analysis)
  | { type: "queued"; id: number }
  | { type: "hint"; ply: number; move: string; value: number | null }
  | ({ type: "error"; do: string | null } & Trouble);

export interface Level {
  number: number;
  player: string;
  rating?: number | null;
}

export interface AboutGame {
  name: string;
  kind: Kind;
  levels: Level[];
  players?: string[];
}

export interface About {
  version: string;
  games: AboutGame[];
  players: string[];
  /** Whether the server reads pictures of boards. */
  sees?: boolean;
}

export interface RecordNode {
  parent: number;
  move: string;
  comment: string;
}

export interface RecordGame {
  game: string;
  setup: Setup | null;
  headers: Record<string, string>;
  /** Such as "unknown", "draw", "black 40-24" or "white by resignation". */
  result: string;
  /** What is said before the first move. */
  comment: string;
  nodes: RecordNode[];
}

export interface Imported {
  format: string;
  count: number;
  /** Whether there are others, which did not come. */
  more: boolean;
  games: RecordGame[];
}

export function other(side: Side): Side {
  return side === "black" ? "white" : "black";
}
