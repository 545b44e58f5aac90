/** A position in the address: #analyse/GAME/MOVES, and /black=...,white=...,to=... where stones were set up. */

import { splitMoves } from "./moves.js";
import type { Setup } from "./protocol.js";

export interface Place {
  game: string;
  moves: string[];
  setup: Setup | null;
}

export function addressOf({ game, moves, setup }: Place): string {
  const parts = ["analyse", game, moves.join("")];
  if (setup) parts.push(`black=${setup.black.join("")},white=${setup.white.join("")},to=${setup.to_move}`);
  return parts.join("/");
}

/** What an address says; null if it names no position. */
export function placeOf(address: string): Place | null {
  const [view, game, moves = "", stones] = address.split("/");
  if (view !== "analyse" || !game) return null;
  const played = splitMoves(moves);
  const setup = stones ? setupOf(stones) : null;
  // What is no move goes to the server as it stands, whose refusal names it.
  return played && setup !== undefined ? { game, moves: played, setup } : { game, moves: [played ? (stones ?? "") : moves], setup: null };
}

function setupOf(text: string): Setup | undefined {
  const parts = new Map(text.split(",").map((part) => part.split("=") as [string, string]));
  const black = splitMoves(parts.get("black") ?? "");
  const white = splitMoves(parts.get("white") ?? "");
  const toMove = parts.get("to");
  if (!black || !white || (toMove !== "black" && toMove !== "white")) return undefined;
  return { black, white, to_move: toMove };
}
