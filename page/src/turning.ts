/** The board seen from another side: what the buttons and keys for that do. `Geometry` in art.ts says what a turn is. */

import { iconButton } from "./dom.js";
import { change, settings } from "./settings.js";
import { t } from "./words.js";

/** A quarter further clockwise. */
function rotate(): void {
  const { turn } = settings.value;
  change({ turn: (turn & 4) | ((turn + 1) & 3) });
}

/** Left for right, as it is seen now. */
function flip(): void {
  const { turn } = settings.value;
  change({ turn: ((turn & 4) ^ 4) | (-turn & 3) });
}

export function turnButtons(): HTMLButtonElement[] {
  return [
    iconButton("rotate", t("rotate"), rotate, { bare: true, "data-name": "rotate" }),
    iconButton("flip", t("flip"), flip, { bare: true, "data-name": "flip" }),
  ];
}

/** Whether a key turns the board; it has if so. */
export function turnedByKey(key: string): boolean {
  if (key === "r") rotate();
  else if (key === "f") flip();
  else return false;
  return true;
}
