/** Numbers for people. */

import type { Analysis, Line } from "./protocol.js";
import { t } from "./words.js";

/** 12345 -> "12.3k". */
export function short(number: number): string {
  if (number < 1000) return String(Math.round(number));
  const [divisor, unit] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
  const scaled = number / divisor;
  return `${scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}

/** A value from -1 to 1 as a share of the points, in per cent. */
export function percent(value: number): number {
  return Math.round(50 + 50 * Math.max(-1, Math.min(1, value)));
}

/** Whether anything is known of what a line is worth: a search that counts visits knows nothing of a move without. */
export function isKnown(line: Line, { heat }: Analysis): boolean {
  return line.value !== null || line.proof !== null || !heat?.["visits"];
}

/** What a line is worth to the one who moves. */
export function worth(line: Line): string {
  if (line.proof === "won") return line.distance ? t("win_in", line.distance) : t("wins");
  if (line.proof === "lost") return line.distance ? t("loss_in", line.distance) : t("loses");
  if (line.proof === "exact") return signed(line.score);
  if (line.value !== null) return `${percent(line.value)} %`;
  return signed(line.score);
}

/** A number with its sign, and of a fraction so many digits. */
export function signed(number: number, digits = 3): string {
  const size = Math.abs(number);
  const shown = Number.isInteger(number) ? String(size) : size.toFixed(Math.max(0, digits - String(Math.floor(size)).length));
  return number > 0 ? `+${shown}` : number < 0 ? `−${shown}` : shown;
}
