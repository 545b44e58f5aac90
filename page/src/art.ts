/** A board as SVG text: the same drawing on the page and in exported pictures. It knows positions, not rules. */

import { cellOf, LETTERS, moveOf } from "./moves.js";
import type { Kind, Side } from "./protocol.js";

export type BoardTheme = "wood" | "paper" | "dark";

/** How a person likes a board to be shown. */
export interface Look {
  board: BoardTheme;
  coordinates: boolean;
  turn: number;
}

/** A mark on a point: a heat spot or a candidate, `strength` from 0 to 1. */
export interface Mark {
  cell: number;
  text: string;
  strength: number;
  tone: "best" | "heat" | "won" | "lost";
}

export interface Ghost {
  cell: number;
  side: Side;
  number: number | null;
}

export interface Scene {
  kind: Kind;
  size: number;
  /** ".xo" row by row from the top. */
  cells: string;
  last: number | null;
  /** The winning line. */
  line: number[];
  forbidden: number[];
  /** Legal moves worth showing (Othello). */
  dots: number[];
  /** Numbers on stones, by cell. */
  numbers: Map<number, number>;
  marks: Mark[];
  ghosts: Ghost[];
  hint: number | null;
  /** Points of which a picture leaves doubt. */
  doubts: number[];
}

export const EMPTY: Omit<Scene, "kind" | "size" | "cells"> = {
  last: null,
  line: [],
  forbidden: [],
  dots: [],
  numbers: new Map(),
  marks: [],
  ghosts: [],
  hint: null,
  doubts: [],
};

const UNIT = 40;
const STONE = 18.7; // a radius

interface Palette {
  ground: [string, string];
  edge: string;
  ink: string;
  label: string;
  grain: string | null;
  flat: boolean;
  /** Of a black stone, so that it stands out from the ground. */
  rim: string;
  /** Of legal moves. */
  dot: string;
  /** The ground of a board at the size of a stamp, if another: a rim would not be seen there. */
  stamp?: string;
  accent: string;
  /** Of a number on a spot, faint or strong. */
  number: string;
}

const GOMOKU: Record<BoardTheme, Palette> = {
  wood: { ground: ["#ecc98d", "#dcae68"], edge: "#b98843", ink: "#553a19", label: "#5a3c12", grain: "#9a6526", flat: false, rim: "#2c2c30", dot: "#553a19", accent: "#b3261e", number: "#160d03" },
  paper: { ground: ["#fcf9f1", "#fcf9f1"], edge: "#d8d0bf", ink: "#5e574a", label: "#6f675a", grain: null, flat: true, rim: "#25221d", dot: "#5e574a", accent: "#b3261e", number: "#16130d" },
  dark: { ground: ["#2b2f36", "#24282e"], edge: "#14161a", ink: "#6b7480", label: "#9aa3ae", grain: null, flat: false, rim: "#87909c", dot: "#b4bcc7", stamp: "#656d78", accent: "#ff7a66", number: "#ffffff" },
};

const OTHELLO: Record<BoardTheme, Palette> = {
  wood: { ground: ["#35835c", "#2a6f4c"], edge: "#4a3018", ink: "#174a31", label: "#e6d3b0", grain: null, flat: false, rim: "#2c2c30", dot: "#04140c", accent: "#ffb4a4", number: "#ffffff" },
  paper: { ground: ["#f3f0e4", "#f3f0e4"], edge: "#fcf9f1", ink: "#8a8273", label: "#6f675a", grain: null, flat: true, rim: "#25221d", dot: "#6f675a", accent: "#b3261e", number: "#000000" },
  dark: { ground: ["#24433a", "#1e3931"], edge: "#191c20", ink: "#11241e", label: "#9aa3ae", grain: null, flat: false, rim: "#8d9b9a", dot: "#8fbfad", stamp: "#4a7a6a", accent: "#ff9d8c", number: "#ffffff" },
};

export function palette(kind: Kind, theme: BoardTheme): Palette {
  return (kind === "othello" ? OTHELLO : GOMOKU)[theme];
}

/**
 * Where things are, in the drawing's own units. A board may be seen turned: `turn` is how many quarters clockwise, and 4
 * more where it was flipped before that, left for right.
 */
export class Geometry {
  /** Where the lines or squares begin, from the left and from the top. */
  readonly left: number;
  readonly top: number;
  readonly extent: number;

  constructor(
    readonly kind: Kind,
    readonly size: number,
    coordinates: boolean,
    readonly turn = 0,
  ) {
    // Points sit on lines in one game and in squares in the other. Room for names only where they stand.
    this.left = kind === "othello" ? (coordinates ? 21 : 10) : coordinates ? 46 : 23;
    this.top = kind === "othello" ? this.left : 23;
    this.extent = this.left + this.top + UNIT * (kind === "othello" ? size : size - 1);
  }

  /** The row and the column, from the top left, in which a cell is seen. */
  seen(cell: number): [number, number] {
    const end = this.size - 1;
    let [row, column] = [Math.floor(cell / this.size), cell % this.size];
    if (this.turn >= 4) column = end - column;
    for (let i = 0; i < this.turn % 4; i++) [row, column] = [column, end - row];
    return [row, column];
  }

  /** The cell that is seen in a row and a column. */
  cell(row: number, column: number): number {
    const end = this.size - 1;
    for (let i = 0; i < this.turn % 4; i++) [row, column] = [end - column, row];
    return row * this.size + (this.turn >= 4 ? end - column : column);
  }

  x(cell: number): number {
    return this.left + UNIT * this.seen(cell)[1] + this.offset;
  }

  y(cell: number): number {
    return this.top + UNIT * this.seen(cell)[0] + this.offset;
  }

  /** From a line to its point. */
  get offset(): number {
    return this.kind === "othello" ? UNIT / 2 : 0;
  }

  get unit(): number {
    return UNIT;
  }
}

export function defs(kind: Kind, theme: BoardTheme): string {
  const { ground, edge } = palette(kind, theme);
  const stop = (at: number, colour: string, opacity = 1) =>
    `<stop offset="${at}" stop-color="${colour}"${opacity < 1 ? ` stop-opacity="${opacity}"` : ""}/>`;
  return (
    `<defs><linearGradient id="ground" x1="0" y1="0" x2="1" y2="1">${stop(0, ground[0])}${stop(1, ground[1])}</linearGradient>` +
    `<linearGradient id="frame" x1="0" y1="0" x2="0" y2="1">${stop(0, lighter(edge))}${stop(1, edge)}</linearGradient>` +
    `<radialGradient id="black" cx=".37" cy=".3" r=".76">${stop(0, "#7c7c82")}${stop(0.18, "#515156")}${stop(0.5, "#26262a")}${stop(0.85, "#101012")}${stop(1, "#1c1c1f")}</radialGradient>` +
    `<radialGradient id="white" cx=".38" cy=".32" r=".78">${stop(0, "#ffffff")}${stop(0.45, "#fbfaf6")}${stop(0.8, "#e6e2d9")}${stop(1, "#bdb6a8")}</radialGradient>` +
    `<radialGradient id="shade">${stop(0.72, "#000", 0.42)}${stop(1, "#000", 0)}</radialGradient></defs>`
  );
}

function lighter(colour: string): string {
  const parts = [1, 3, 5].map((at) => Math.min(255, parseInt(colour.slice(at, at + 2), 16) + 26));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** The ground, its lines and their names. */
export function ground(kind: Kind, size: number, look: Look): string {
  const geometry = geometryOf({ kind, size }, look);
  const colours = palette(kind, look.board);
  const { extent } = geometry;
  // As round as the page draws what lies under it, however large the points are.
  const round = extent / 88;
  const parts = [`<rect width="${extent}" height="${extent}" rx="${round.toFixed(1)}" fill="url(#${kind === "othello" ? "frame" : "ground"})"/>`];
  if (kind === "othello") parts.push(felt(geometry, look.board));
  else {
    if (colours.grain) parts.push(grain(extent, colours.grain));
    parts.push(`<rect x=".75" y=".75" width="${extent - 1.5}" height="${extent - 1.5}" rx="${(round - 0.5).toFixed(1)}" fill="none" stroke="${colours.edge}" stroke-width="1.5" stroke-opacity=".7"/>`);
    parts.push(lattice(geometry, colours.ink));
  }
  parts.push(stars(geometry, colours.ink));
  if (look.coordinates) parts.push(labels(geometry, colours.label));
  return parts.join("");
}

function felt(geometry: Geometry, theme: BoardTheme): string {
  const { left, top, size } = geometry;
  const colours = palette("othello", theme);
  const inner = UNIT * size;
  let path = "";
  for (let i = 1; i < size; i++) path += `M${left} ${top + UNIT * i}h${inner}M${left + UNIT * i} ${top}v${inner}`;
  return (
    `<rect x="${left}" y="${top}" width="${inner}" height="${inner}" fill="url(#ground)" stroke="${colours.ink}" stroke-width="2"/>` +
    `<path d="${path}" stroke="${colours.ink}" stroke-width="1.2" fill="none"/>`
  );
}

function lattice(geometry: Geometry, ink: string): string {
  const { left, top, size } = geometry;
  const inner = UNIT * (size - 1);
  let path = "";
  for (let i = 1; i < size - 1; i++) path += `M${left} ${top + UNIT * i}h${inner}M${left + UNIT * i} ${top}v${inner}`;
  return (
    `<path d="${path}" stroke="${ink}" stroke-width="1" fill="none" stroke-opacity=".82"/>` +
    `<rect x="${left}" y="${top}" width="${inner}" height="${inner}" fill="none" stroke="${ink}" stroke-width="1.8"/>`
  );
}

/** Straight grain, as of a quarter-sawn kaya board: the same every time. */
function grain(extent: number, colour: string): string {
  let seed = 20260;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const paths = [];
  for (let x = 3; x < extent - 2; x += 2 + random() * 7) {
    const sway = () => ((random() - 0.5) * 5).toFixed(1);
    const third = extent / 3;
    paths.push(
      `<path d="M${x.toFixed(1)} 1c${sway()} ${third} ${sway()} ${2 * third} ${sway()} ${extent - 2}" ` +
        `stroke-width="${(0.4 + random() * 1.7).toFixed(2)}" stroke-opacity="${(0.05 + random() * 0.13).toFixed(3)}"/>`,
    );
  }
  return `<g fill="none" stroke="${colour}">${paths.join("")}</g>`;
}

function stars(geometry: Geometry, ink: string): string {
  const { kind, size, left, top } = geometry;
  let lines: number[] = [];
  if (kind === "othello") lines = size >= 6 ? [2, size - 2] : [];
  else if (size >= 9) lines = size >= 13 ? [3, size - 4] : [2, size - 3];
  const points: [number, number][] = lines.flatMap((x) => lines.map((y): [number, number] => [x, y]));
  if (kind !== "othello" && size % 2 === 1 && size >= 5) {
    const middle = (size - 1) / 2;
    points.push([middle, middle]);
    if (size >= 19) points.push(...lines.flatMap((i): [number, number][] => [[i, middle], [middle, i]]));
  }
  return points.map(([x, y]) => `<circle cx="${left + UNIT * x}" cy="${top + UNIT * y}" r="${kind === "othello" ? 2.6 : 3.6}" fill="${ink}"/>`).join("");
}

/** The names of columns and rows, where they are seen: one line of them on the left, one above or below. */
function labels(geometry: Geometry, colour: string): string {
  const { kind, size, extent, left, top, offset } = geometry;
  const isOthello = kind === "othello";
  const edge = isOthello ? left / 2 : (left - STONE) / 2; // in the middle of what stones leave
  const parts = [];
  for (let i = 0; i < size; i++) {
    const at = UNIT * i + offset;
    const [above, beside] = [geometry.cell(0, i), geometry.cell(i, 0)];
    const [across, down] = geometry.turn % 2 ? [rowName(geometry, above), columnName(geometry, beside)] : [columnName(geometry, above), rowName(geometry, beside)];
    parts.push(`<text x="${left + at}" y="${isOthello ? edge : extent - edge}">${across}</text><text x="${edge}" y="${top + at}">${down}</text>`);
  }
  return `<g${isOthello ? "" : ' class="names"'} fill="${colour}" font-size="${isOthello ? 9.5 : 13}" font-family="Inter, system-ui, sans-serif" text-anchor="middle" dominant-baseline="central">${parts.join("")}</g>`;
}

function columnName({ size }: Geometry, cell: number): string {
  return LETTERS[cell % size];
}

function rowName({ kind, size }: Geometry, cell: number): string {
  return moveOf(kind, size, cell).slice(1);
}

/** A board as a person likes it to be shown. */
export function geometryOf({ kind, size }: Pick<Scene, "kind" | "size">, { coordinates, turn }: Look): Geometry {
  return new Geometry(kind, size, coordinates, turn);
}

/** Stones, and all that lies on them. `fresh` are cells whose stones have just come: the page lets them settle. */
export function stones(scene: Scene, look: Look, fresh: ReadonlySet<number> = new Set()): string {
  const geometry = geometryOf(scene, look);
  const colours = palette(scene.kind, look.board);
  const parts: string[] = [];
  for (let cell = 0; cell < scene.cells.length; cell++) {
    const stone = scene.cells[cell];
    if (stone === ".") continue;
    const drawn = stone === "x" ? "black" : "white";
    parts.push(`<g${fresh.has(cell) ? ' class="fresh"' : ""}>${oneStone(geometry, cell, drawn, colours)}</g>`);
  }
  parts.push(...[...scene.numbers].map(([cell, number]) => stoneText(geometry, cell, scene.cells[cell] === "x", number, cell === scene.last, colours)));
  if (scene.line.length > 1) parts.push(winningLine(geometry, scene.line, colours.accent));
  if (scene.last !== null && !scene.numbers.has(scene.last)) parts.push(lastMove(geometry, scene, colours));
  return parts.join("");
}

function oneStone(geometry: Geometry, cell: number, side: Side, { flat, rim }: Palette): string {
  const x = geometry.x(cell);
  const y = geometry.y(cell);
  const radius = geometry.kind === "othello" ? 16.5 : STONE;
  if (flat) {
    const fill = side === "black" ? "#25221d" : "#fff";
    return `<circle cx="${x}" cy="${y}" r="${radius - 0.6}" fill="${fill}" stroke="${rim}" stroke-width="1.3"/>`;
  }
  return (
    `<circle cx="${x + 1.4}" cy="${y + 2.6}" r="${radius + 2.4}" fill="url(#shade)"/>` +
    `<circle cx="${x}" cy="${y}" r="${radius}" fill="url(#${side})"${side === "black" ? ` stroke="${rim}" stroke-width="1.2"` : ""}/>`
  );
}

function stoneText(geometry: Geometry, cell: number, onBlack: boolean, number: number, isLast: boolean, colours: Palette): string {
  const fill = isLast ? (onBlack ? "#ff8d7d" : "#b3261e") : onBlack ? "#f3efe7" : "#2a2721";
  return text(geometry.x(cell), geometry.y(cell), String(number), number > 99 ? 13 : 15, fill, colours.flat ? 600 : 500);
}

function text(x: number, y: number, content: string, size: number, fill: string, weight = 500): string {
  return (
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="middle" ` +
    `dominant-baseline="central" font-family="Inter, system-ui, sans-serif" style="font-variant-numeric:tabular-nums">${content}</text>`
  );
}

function lastMove(geometry: Geometry, scene: Scene, colours: Palette): string {
  const cell = scene.last as number;
  const onBlack = scene.cells[cell] === "x";
  const stroke = onBlack ? "#ff8d7d" : colours.flat ? "#b3261e" : "#c0392b";
  return `<circle cx="${geometry.x(cell)}" cy="${geometry.y(cell)}" r="${geometry.kind === "othello" ? 3.4 : 5}" fill="${stroke}"/>`;
}

function winningLine(geometry: Geometry, line: number[], accent: string): string {
  const rings = line.map(
    (cell) => `<circle cx="${geometry.x(cell)}" cy="${geometry.y(cell)}" r="${STONE}" fill="none" stroke="${accent}" stroke-width="3"/>`,
  );
  return `<g class="won">${rings.join("")}</g>`;
}

/** What is not on the board: dots, fouls, hints, heat, previews. */
export function annotations(scene: Scene, look: Look): string {
  const geometry = geometryOf(scene, look);
  const colours = palette(scene.kind, look.board);
  const parts = scene.dots.map(
    (cell) => `<circle cx="${geometry.x(cell)}" cy="${geometry.y(cell)}" r="3.8" fill="${colours.dot}"/>`,
  );
  for (const cell of scene.forbidden) {
    const [x, y] = [geometry.x(cell), geometry.y(cell)];
    parts.push(`<path d="M${x - 6} ${y - 6}l12 12m0-12l-12 12" stroke="${colours.accent}" stroke-width="2.4" stroke-linecap="round"/>`);
  }
  for (const mark of scene.marks) parts.push(spot(geometry, mark, colours));
  for (const ghost of scene.ghosts) {
    parts.push(`<g opacity=".68">${oneStone(geometry, ghost.cell, ghost.side, colours)}</g>`);
    if (ghost.number !== null) parts.push(stoneText(geometry, ghost.cell, ghost.side === "black", ghost.number, false, colours));
  }
  for (const cell of scene.doubts) {
    parts.push(
      `<circle class="doubt" cx="${geometry.x(cell)}" cy="${geometry.y(cell)}" r="19" fill="none" stroke="${colours.accent}" stroke-width="3" stroke-dasharray="6 4"/>`,
    );
  }
  if (scene.hint !== null) {
    const [x, y] = [geometry.x(scene.hint), geometry.y(scene.hint)];
    parts.push(
      `<g class="hint"><circle cx="${x}" cy="${y}" r="17" fill="${colours.accent}" fill-opacity=".16" stroke="${colours.accent}" stroke-width="2.5" stroke-dasharray="5 4"/></g>`,
    );
  }
  return parts.join("");
}

const TONES: Record<Kind, Record<Mark["tone"], string>> = {
  gomoku: { best: "#3a7fc2", heat: "#3c8f7b", won: "#2a9657", lost: "#c4574b" },
  othello: { best: "#2f6fb0", heat: "#5a6f8a", won: "#1a7d44", lost: "#a83a2f" }, // green on felt would drown
};

function spot(geometry: Geometry, mark: Mark, colours: Palette): string {
  const [x, y] = [geometry.x(mark.cell), geometry.y(mark.cell)];
  const strength = Math.max(0, Math.min(1, mark.strength));
  const tone = TONES[geometry.kind][mark.tone];
  const whole = geometry.kind === "othello" ? 15 : 17.5;
  // Without a number, its size tells: a large faint spot would be lost in the grain. Behind a number it is never so strong
  // that one could not read the number, or take the spot for a stone.
  const [radius, opacity] = mark.text ? [whole, 0.12 + 0.62 * strength] : [4 + (whole - 6) * strength, 0.62 + 0.3 * strength];
  const circle = `<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}" fill="${tone}" fill-opacity="${opacity.toFixed(2)}"/>`;
  return mark.text ? circle + text(x, y, mark.text, mark.text.length > 3 ? 10.5 : 12.5, colours.number, 600) : circle;
}

/** A board at the size of a stamp: few lines, flat stones, a dot on the last. */
export function thumbnail(kind: Kind, size: number, cells: string, last: string, theme: BoardTheme): string {
  const geometry = new Geometry(kind, size, false);
  const colours = palette(kind, theme);
  const { extent } = geometry;
  const stamp = colours.stamp ?? colours.ground[0];
  const lines = kind === "othello" ? felt(geometry, theme).replace("url(#ground)", stamp) : lattice(geometry, colours.stamp ? colours.edge : colours.ink);
  const marked = cellOf(kind, size, last);
  const stones = [...cells].map((stone, cell) => {
    if (stone === ".") return "";
    const [x, y] = [geometry.x(cell), geometry.y(cell)];
    const [fill, dot] = stone === "x" ? ["#201e1b", "#ff8d7d"] : ["#fbfaf6", "#b3261e"];
    const spot = cell === marked ? `<circle cx="${x}" cy="${y}" r="7" fill="${dot}"/>` : "";
    return `<circle cx="${x}" cy="${y}" r="18" fill="${fill}" stroke="#201e1b" stroke-width="1.5"/>${spot}`;
  });
  const ground = `<rect width="${extent}" height="${extent}" fill="${kind === "othello" ? colours.edge : stamp}"/>`;
  return `<svg viewBox="0 0 ${extent} ${extent}" aria-hidden="true">${ground}${lines}${stones.join("")}</svg>`;
}

/** A picture of a scene that stands by itself. */
export function picture(scene: Scene, look: Look, width: number): string {
  const { extent } = geometryOf(scene, look);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}" viewBox="0 0 ${extent} ${extent}">` +
    defs(scene.kind, look.board) +
    ground(scene.kind, scene.size, look) +
    annotations({ ...scene, hint: null }, look) +
    stones(scene, look) +
    "</svg>"
  );
}
