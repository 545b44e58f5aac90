/** Stones that are set by hand: a position to look at, or one that was read from a picture and wants a second look. */

import { EMPTY, type Scene } from "./art.js";
import { cellOf, cellsOf, moveOf, partsOf } from "./moves.js";
import type { Setup, Side, View } from "./protocol.js";
import { explainRemark } from "./troubles.js";
import { t } from "./words.js";

const NEXT: Record<string, string> = { ".": "x", x: "o", o: "." };

export interface Draft {
  readonly game: string;
  /** ".xo" row by row from the top. */
  readonly cells: string;
  /** Null where nobody has said yet. */
  readonly toMove: Side | null;
  /** What the reader of a picture was not sure of, and has not been touched since. */
  readonly doubts: readonly number[];
  /** What there is to say about the picture. */
  readonly remarks: readonly string[];
}

/** What the server sees in a picture. */
export interface Seen {
  game: string;
  black: string[];
  white: string[];
  to_move: Side | null;
  over: boolean;
  sure: boolean;
  confidence: number;
  doubts: string[];
  remarks: string[];
}

export function draftOfView(view: View): Draft {
  return { game: view.game, cells: view.cells, toMove: view.to_move, doubts: [], remarks: [] };
}

export function draftOfPicture(game: string, seen: Seen): Draft {
  const { kind, size } = partsOf(game);
  const cells = Array.from({ length: size * size }, () => ".");
  for (const cell of cellsOf(kind, size, seen.black)) cells[cell] = "x";
  for (const cell of cellsOf(kind, size, seen.white)) cells[cell] = "o";
  const remarks = [t("picture_check", Math.floor(100 * seen.confidence)), ...seen.remarks.map(explainRemark)];
  return { game, cells: cells.join(""), toMove: seen.to_move, doubts: cellsOf(kind, size, seen.doubts), remarks };
}

/** The stones of a draft; null for the empty board with which a game of Gomoku begins. */
export function setupOfDraft(draft: Draft): Setup | null {
  const { kind, size } = partsOf(draft.game);
  const held = (letter: string) =>
    [...draft.cells].flatMap((each, cell) => (each === letter ? [moveOf(kind, size, cell)] : []));
  const setup = { black: held("x"), white: held("o"), to_move: draft.toMove ?? "black" }; // where nobody moves any more, anybody does
  const isStart = kind === "gomoku" && setup.to_move === "black" && !setup.black.length && !setup.white.length;
  return isStart ? null : setup;
}

export function sceneOfDraft(draft: Draft): Scene {
  const { kind, size } = partsOf(draft.game);
  return { ...EMPTY, kind, size, cells: draft.cells, doubts: [...draft.doubts] };
}

/** The draft with one point changed to the next of empty, black and white. */
export function touched(draft: Draft, move: string): Draft {
  const { kind, size } = partsOf(draft.game);
  const cell = cellOf(kind, size, move);
  if (cell === null) return draft;
  const cells = draft.cells.slice(0, cell) + NEXT[draft.cells[cell]] + draft.cells.slice(cell + 1);
  return { ...draft, cells, doubts: draft.doubts.filter((each) => each !== cell) };
}
