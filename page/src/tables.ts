/** Tables, and what those of games have in common. */

import { h } from "./dom.js";
import { plainName } from "./names.js";
import { addressOf } from "./place.js";
import type { PositionRef, Side } from "./protocol.js";
import { t } from "./words.js";

export interface PlayedGame {
  black: string;
  white: string;
  position: PositionRef;
  winner: Side | null;
  /** Why it ended, where that is told. */
  reason?: string;
  /** How many of its last moves are not there. */
  unplayed?: number;
}

type Cell = string | number | HTMLElement;

export function table(label: string, head: (string | null)[], rows: Cell[][]): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, head.map((cell) => (cell === null ? h("td", {}) : h("th", { scope: "col" }, cell))))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => (i === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell)))))),
    ),
  );
}

export function resultOf({ winner }: PlayedGame): string {
  return winner === null ? t("drawn") : t("won", winner === "black" ? t("Black") : t("White"));
}

/** "31 moves", also where the last ones are not on the board. */
export function lengthOf({ position, unplayed }: PlayedGame): string {
  return t("n_moves", position.moves.length + (unplayed ?? 0));
}

let followed: { address: string; game: PlayedGame } | null = null;

/** What a link to a game needs; who follows it is told there who played. */
export function linkTo(game: PlayedGame): { href: string; onclick: () => void } {
  const { position } = game;
  const address = addressOf({ ...position, setup: position.setup ?? null });
  return { href: `#${address}`, onclick: () => (followed = { address, game }) };
}

/** The game whose link led to an address, told once. */
export function followedTo(address: string): PlayedGame | null {
  if (followed?.address !== address) return null;
  const { game } = followed;
  followed = null;
  return game;
}

/** Games by name; a click opens one where it can be walked through. */
export function gameTable(label: string, games: [string, PlayedGame][]): HTMLElement {
  const rows = games.map(([name, game]) => [
    h("a", { ...linkTo(game) }, name), plainName(game.black), plainName(game.white), resultOf(game), lengthOf(game),
  ]);
  return table(label, [t("a_game"), t("Black"), t("White"), t("result"), t("moves")], rows);
}
