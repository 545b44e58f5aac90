/** The board on the page: draws a scene, and says which point was played, by pointer or by keys. */

import { annotations, defs, EMPTY, type Geometry, geometryOf, ground, type Look, palette, type Scene, stones } from "./art.js";
import { moveOf } from "./moves.js";
import type { Side } from "./protocol.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

export interface BoardOptions {
  /** A point was chosen; whether it may be is for the server to say. */
  onplay(move: string): void;
  /** The stone that a pointer carries over the board; null if there is none to place. */
  carried(): Side | null;
  /** Whether a click leaves the keys where they were: arrows have another use in that view. */
  keepsKeys?: boolean;
}

export class Board {
  readonly element = document.createElementNS(SVG, "svg");
  #scene: Scene | null = null;
  #drawn = ""; // which ground is drawn
  #layers: Record<"under" | "stones" | "over" | "ghost" | "cells", SVGGElement>;
  #points: SVGRectElement[] = []; // by cell
  #cursor = -1;
  #pointed = -1; // where a pointer is that hovers
  #armed = -1; // tapped once, where a move takes two taps
  #labels: string[] = [];

  constructor(private readonly options: BoardOptions) {
    const layer = (hidden = true) => {
      const group = document.createElementNS(SVG, "g");
      if (hidden) group.setAttribute("aria-hidden", "true");
      this.element.append(group);
      return group;
    };
    this.element.setAttribute("class", "board");
    this.element.setAttribute("role", "grid");
    this.element.setAttribute("tabindex", "0");
    this.#layers = { under: layer(), stones: layer(), over: layer(), ghost: layer(), cells: layer(false) };
    this.#layers.cells.setAttribute("role", "rowgroup");
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("focus", () => this.#showCursor());
    this.element.addEventListener("blur", () => this.#point(-1));
    this.#listenToPointers();
  }

  #listenToPointers(): void {
    this.element.addEventListener("pointerleave", () => this.#point(-1));
    this.element.addEventListener("click", (event) => {
      const cell = cellUnder(event.target);
      if (cell !== null) this.#play(cell, true);
    });
    this.element.addEventListener("mousedown", (event) => {
      if (!this.options.keepsKeys) return;
      event.preventDefault();
      const active = document.activeElement as HTMLElement | null;
      if (active?.matches("input, textarea, select")) active.blur(); // else it would go on taking the keys
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.#point(cellUnder(event.target) ?? -1);
    });
  }

  /** Let the keys move on the board from now on. */
  takeKeys(): void {
    (this.element as SVGSVGElement & { focus(options?: { focusVisible?: boolean }): void }).focus({ focusVisible: true });
    this.#showCursor();
  }

  /** Draw a scene; stones that the last one had not settle gently. */
  draw(scene: Scene): void {
    const look = settings.value;
    const before = this.#scene;
    const ground = `${scene.kind} ${scene.size} ${look.board} ${look.coordinates} ${look.turn} ${look.language}`;
    if (ground !== this.#drawn) this.#lay(scene, look);
    const fresh = new Set<number>();
    if (before && ground === this.#drawn && before.cells !== scene.cells) {
      for (let cell = 0; cell < scene.cells.length; cell++) {
        if (scene.cells[cell] !== "." && before.cells[cell] !== scene.cells[cell]) fresh.add(cell);
      }
    }
    this.#drawn = ground;
    this.#scene = scene;
    if (before?.cells !== scene.cells || scene.ghosts.length) this.#armed = -1; // what is not seen is not played
    this.#layers.stones.innerHTML = stones(scene, look, fresh.size <= 24 ? fresh : new Set());
    this.#layers.over.innerHTML = annotations(scene, look);
    this.#placeCursor(scene);
    this.#drawGhost();
    this.#name(scene);
  }

  #lay({ kind, size }: Scene, look: Look): void {
    const geometry = geometryOf({ kind, size }, look);
    this.element.setAttribute("viewBox", `0 0 ${geometry.extent} ${geometry.extent}`);
    this.element.setAttribute("aria-label", t("board_label", size, size));
    this.#layers.under.innerHTML = defs(kind, look.board) + ground(kind, size, look);
    this.#points = [];
    const rows = Array.from({ length: size }, (_, row) => {
      const group = document.createElementNS(SVG, "g");
      group.setAttribute("role", "row");
      for (let column = 0; column < size; column++) {
        const cell = geometry.cell(row, column); // read in the order in which they are seen
        group.append((this.#points[cell] = this.#cell(geometry, cell)));
      }
      return group;
    });
    this.#layers.cells.replaceChildren(...rows);
    this.#labels = [];
    this.#pointed = -1; // it lies on another point now
    if (this.#cursor >= size * size || !this.#drawn.startsWith(`${kind} ${size} `)) this.#cursor = -1;
  }

  #cell(geometry: Geometry, cell: number): SVGRectElement {
    const rect = document.createElementNS(SVG, "rect");
    const half = geometry.unit / 2;
    const attributes = {
      x: geometry.x(cell) - half,
      y: geometry.y(cell) - half,
      width: geometry.unit,
      height: geometry.unit,
      fill: "transparent",
      role: "gridcell",
      id: `point-${cell}`,
      "data-cell": cell,
      "data-move": moveOf(geometry.kind, geometry.size, cell),
    };
    for (const [key, value] of Object.entries(attributes)) rect.setAttribute(key, String(value));
    return rect;
  }

  /** What a screen reader calls each point. */
  #name(scene: Scene): void {
    const forbidden = new Set(scene.forbidden);
    this.#points.forEach((rect, cell) => {
      const held = scene.cells[cell];
      const what = held === "x" ? t("black") : held === "o" ? t("white") : forbidden.has(cell) ? t("forbidden") : t("empty");
      const label = `${moveOf(scene.kind, scene.size, cell)}, ${what}`;
      if (this.#labels[cell] === label) return;
      this.#labels[cell] = label;
      rect.setAttribute("aria-label", label);
    });
  }

  #play(cell: number, byPointer: boolean): void {
    const scene = this.#scene;
    if (!scene) return;
    if (byPointer && settings.value.confirm && this.#armed !== cell && scene.cells[cell] === "." && this.options.carried()) {
      this.#armed = cell;
      this.#drawGhost();
      return;
    }
    this.#armed = -1;
    this.options.onplay(moveOf(scene.kind, scene.size, cell));
  }

  #key(event: KeyboardEvent): void {
    const scene = this.#scene;
    if (!scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
    };
    const step = steps[event.key];
    if (step) {
      this.#move(scene, step);
    } else if ((event.key === "Enter" || event.key === " ") && this.#cursor >= 0) {
      this.#play(this.#cursor, false);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #move(scene: Scene, [down, right]: [number, number]): void {
    if (this.#cursor < 0) this.#start(scene);
    else {
      const geometry = geometryOf(scene, settings.value);
      const [row, column] = geometry.seen(this.#cursor).map((at, i) => at + (i ? right : down));
      if (row >= 0 && row < scene.size && column >= 0 && column < scene.size) this.#cursor = geometry.cell(row, column);
    }
    this.#showCursor();
  }

  #start(scene: Scene): void {
    const middle = Math.floor(scene.size / 2);
    this.#cursor = scene.last ?? middle * scene.size + middle;
  }

  /** The keys lead now, not a pointer that lies on the board. */
  #showCursor(): void {
    if (!this.#scene || !this.#hasKeys) return;
    this.#pointed = this.#armed = -1;
    this.#placeCursor(this.#scene);
    this.#drawGhost();
  }

  #placeCursor(scene: Scene): void {
    if (!this.#hasKeys) return;
    if (this.#cursor < 0) this.#start(scene);
    this.element.setAttribute("aria-activedescendant", `point-${this.#cursor}`);
  }

  /** Whether keys move on the board, and that is to be seen. */
  get #hasKeys(): boolean {
    return this.element.matches(":focus-visible");
  }

  #point(cell: number): void {
    this.#pointed = cell;
    this.#drawGhost();
  }

  /** The stone that would be played, under the pointer, where it was tapped or at the cursor; and the cursor. */
  #drawGhost(): void {
    const scene = this.#scene;
    if (!scene) return;
    const cursor = this.#hasKeys ? this.#cursor : -1;
    const cell = [this.#pointed, this.#armed, cursor].find((each) => each >= 0) ?? -1;
    this.#layers.ghost.innerHTML = this.#stoneAt(scene, cell) + cursorAt(scene, cursor);
  }

  #stoneAt(scene: Scene, cell: number): string {
    const side = this.options.carried();
    const mayPlace =
      cell >= 0 && scene.cells[cell] === "." && !scene.forbidden.includes(cell) && (scene.kind !== "othello" || scene.dots.length === 0 || scene.dots.includes(cell));
    if (!side || !mayPlace || scene.ghosts.length) return "";
    const { kind, size, cells } = scene;
    return annotations({ ...EMPTY, kind, size, cells, ghosts: [{ cell, side, number: null }] }, settings.value);
  }
}

function cursorAt({ kind, size }: Scene, cell: number): string {
  if (cell < 0) return "";
  const look = settings.value;
  const geometry = geometryOf({ kind, size }, look);
  const { accent } = palette(kind, look.board);
  const [x, y] = [geometry.x(cell) - 18.5, geometry.y(cell) - 18.5];
  return `<rect x="${x}" y="${y}" width="37" height="37" rx="6" fill="none" stroke="${accent}" stroke-width="2.5"/>`;
}

function cellUnder(target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.getAttribute("data-cell") : null;
  return cell === null ? null : Number(cell);
}
