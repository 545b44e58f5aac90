/** What analysis says of single moves, as spots on the board. */

import type { Mark } from "./art.js";
import { isKnown, percent, signed } from "./figures.js";
import { cellOf } from "./moves.js";
import type { Analysis, Line, View } from "./protocol.js";
import type { Word } from "./words.js";

const MOST_LINES = 20; // more are no lines but a number for every move
const MOST_TEXTS = 12; // more numbers on a board are noise

/** The ways of drawing that an analysis by an engine allows, the usual one first. */
export function heatKinds(analysis: Analysis | null, engine: string): [string, Word][] {
  const ofAll = engine === "evolved" ? "heat_value" : "heat_q"; // its ratings are no Q: they only compare moves
  const kinds: [string, Word][] = [["lines", (analysis?.lines.length ?? 0) > MOST_LINES ? ofAll : "heat_lines"]];
  const names: Record<string, Word> = { visits: "heat_visits", policy: "heat_policy", value: "heat_value", q: "heat_q", Q: "heat_q" };
  for (const kind of Object.keys(analysis?.heat ?? {})) if (names[kind]) kinds.push([kind, names[kind]]);
  return [...kinds, ["none", "heat_none"]];
}

export function marks(view: View, analysis: Analysis, kind: string): Mark[] {
  if (kind === "none") return [];
  const spots = analysis.heat?.[kind];
  if (spots) return shares(view, spots, kind);
  if (analysis.lines.length > MOST_LINES) return values(view, analysis.lines);
  return best(view, analysis.lines.filter((line) => isKnown(line, analysis)));
}

function best(view: View, lines: Line[]): Mark[] {
  const seen = new Set<number>();
  const found: Mark[] = [];
  lines.forEach((line, i) => {
    const cell = cellOf(view.kind, view.size, line.moves[0] ?? "");
    if (cell === null || seen.has(cell)) return;
    seen.add(cell);
    const tone = line.proof === "won" ? "won" : line.proof === "lost" ? "lost" : i === 0 ? "best" : "heat";
    const text = line.proof === "won" || line.proof === "lost" ? String(line.distance ?? "!") : line.proof === "exact" ? signed(line.score) : line.value === null ? String(i + 1) : String(percent(line.value));
    found.push({ cell, text, tone, strength: i === 0 ? 0.95 : 0.72 });
  });
  return found;
}

/** One number for every move, such as Q: coloured by its place between the worst and the best. */
function values(view: View, lines: Line[]): Mark[] {
  const isValued = lines.every((line) => line.value !== null);
  return scaled(
    view,
    lines.map((line): [string, number] => [line.moves[0], isValued ? line.value! : line.score]),
    (number) => (isValued ? String(percent(number)) : signed(number, 2)), // more do not fit on a point
  );
}

function shares(view: View, spots: [string, number][], kind: string): Mark[] {
  if (kind !== "visits" && kind !== "policy") return scaled(view, spots, (number) => String(percent(number)));
  const most = Math.max(...spots.map(([, share]) => share), 1e-9);
  const ordered = [...spots].sort((a, b) => b[1] - a[1]).filter(([, share]) => share >= 0.002);
  return placed(view, ordered, (share, i) => ({
    text: i < MOST_TEXTS && share >= 0.01 ? String(Math.round(100 * share)) : "",
    strength: Math.sqrt(share / most) * 0.9,
    tone: i === 0 ? "best" : "heat",
  }));
}

function scaled(view: View, spots: [string, number][], write: (number: number) => string): Mark[] {
  const ordered = [...spots].sort((a, b) => b[1] - a[1]);
  const top = ordered[0]?.[1] ?? 0;
  const bottom = ordered.at(-1)?.[1] ?? 0;
  return placed(view, ordered, (number, i) => {
    const height = top > bottom ? (number - bottom) / (top - bottom) : 1;
    return { text: i < MOST_TEXTS ? write(number) : "", strength: i < MOST_TEXTS ? 0.55 + 0.4 * height : 0.7 * height ** 3, tone: i === 0 ? "best" : "heat" };
  });
}

function placed(view: View, spots: [string, number][], mark: (number: number, i: number) => Omit<Mark, "cell">): Mark[] {
  return spots.flatMap(([move, number], i) => {
    const cell = cellOf(view.kind, view.size, move);
    return cell === null ? [] : [{ cell, ...mark(number, i) }];
  });
}
