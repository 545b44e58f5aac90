/** Moves as text and as cells: the row of a cell counts from the top, as the server's `cells` do. */

import type { Kind } from "./protocol.js";

export const LETTERS = "abcdefghijklmnopqrstuv";

export function moveOf(kind: Kind, size: number, cell: number): string {
  const row = Math.floor(cell / size);
  return LETTERS[cell % size] + String(kind === "othello" ? row + 1 : size - row);
}

/** The cell of a move; null for a pass or what is none. */
export function cellOf(kind: Kind, size: number, move: string): number | null {
  const match = /^([a-v])(\d{1,2})$/.exec(move);
  if (!match) return null;
  const column = LETTERS.indexOf(match[1]);
  const number = Number(match[2]);
  const row = kind === "othello" ? number - 1 : size - number;
  return row >= 0 && row < size && column < size ? row * size + column : null;
}

export function cellsOf(kind: Kind, size: number, moves: readonly string[]): number[] {
  return moves.map((move) => cellOf(kind, size, move)).filter((cell): cell is number => cell !== null);
}

/** "h8i9pass" as moves; null if it is no such text. */
export function splitMoves(text: string): string[] | null {
  const moves = text.toLowerCase().match(/pass|[a-v]\d{1,2}/g) ?? [];
  return moves.join("") === text.toLowerCase() ? moves : null;
}

/** What a game name says: "gomoku:rule=caro,size=19" -> its parts. */
export interface GameParts {
  kind: Kind;
  rule: string;
  size: number;
}

export function partsOf(game: string): GameParts {
  const [head, tail = ""] = game.split(":");
  const options = new Map(tail.split(",").map((option) => option.split("=") as [string, string]));
  const kind: Kind = head === "othello" ? "othello" : "gomoku";
  const rule = head === "renju" ? "renju" : (options.get("rule") ?? "freestyle");
  return { kind, rule, size: Number(options.get("size") ?? (kind === "othello" ? 8 : 15)) };
}

export function gameName(parts: GameParts): string {
  if (parts.kind === "othello") return parts.size === 8 ? "othello" : `othello:size=${parts.size}`;
  const options = [];
  if (parts.rule !== "freestyle" && parts.rule !== "renju") options.push(`rule=${parts.rule}`);
  if (parts.size !== 15) options.push(`size=${parts.size}`);
  const head = parts.rule === "renju" ? "renju" : "gomoku";
  return options.length ? `${head}:${options.join(",")}` : head;
}
