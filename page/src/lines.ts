/** The best lines, as they are found: hovering shows one on the board, a click plays it. */

import { h, replace } from "./dom.js";
import { isKnown, short, worth } from "./figures.js";
import type { Analysis, Line } from "./protocol.js";
import type { Study } from "./study.js";
import { t } from "./words.js";

const MOST_MOVES = 14;

export interface LinesOptions {
  /** Show these moves on the board; none to stop. */
  onpreview(moves: string[]): void;
  onplay(moves: string[]): void;
  ongo(): void;
}

interface Row {
  button: HTMLButtonElement;
  chip: HTMLElement;
  moves: HTMLElement;
  visits: HTMLElement;
  line: Line | null;
  text: string;
}

export class Lines {
  readonly element: HTMLElement;
  readonly #stats = h("p", { class: "stats" });
  readonly #list = h("ol", { class: "lines", "aria-label": t("lines") });
  // A search orders moves by its visits, not by their values: so both are seen.
  readonly #columns = [t("value"), t("heat_visits")].map((word) => h("span", { class: "column", hidden: true, "aria-hidden": "true" }, word));
  // Shown where it does not think, between these: so that nothing moves.
  readonly #rest: { element: HTMLElement; words: HTMLElement; goOn: HTMLElement };
  readonly #rows: Row[] = [];

  /** `corner` stands beside the numbers. */
  constructor(
    corner: HTMLElement,
    private readonly options: LinesOptions,
  ) {
    const words = h("span", { class: "about" });
    const goOn = h("button", { type: "button", class: "text", "data-name": "go-on", onclick: () => options.ongo() }, t("go_on"));
    this.#rest = { element: h("p", { class: "rest", hidden: true }, words, goOn), words, goOn };
    const heads = h("div", { class: "heads" }, this.#columns[0], this.#rest.element, this.#columns[1]);
    this.element = h("div", { class: "found" }, h("div", { class: "facts" }, this.#stats, corner), heads, this.#list);
  }

  /** There is room for `most` lines, however many there are: what stands below stays where it is. */
  draw(analysis: Analysis | null, most: number, message: string, rests: Study["rests"]): void {
    this.#drawRest(analysis && rests);
    this.#list.style.setProperty("--lines", String(most));
    if (!analysis) {
      this.#rows.length = 0;
      replace(this.#stats);
      for (const column of this.#columns) column.hidden = true;
      replace(this.#list, h("li", { class: "none" }, message));
      this.options.onpreview([]);
      return;
    }
    const depth = analysis.selective_depth > analysis.depth ? `${analysis.depth}/${analysis.selective_depth}` : analysis.depth;
    replace(
      this.#stats,
      analysis.depth ? h("span", {}, t("depth", depth)) : null,
      h("span", {}, t("nodes", short(analysis.nodes))),
      analysis.nodes_per_second ? h("span", {}, t("speed", short(analysis.nodes_per_second))) : null,
      h("span", {}, t("n_seconds", analysis.seconds.toFixed(1))),
    );
    const shown = analysis.lines.slice(0, most);
    const visits = new Map(analysis.heat?.["visits"] ?? []);
    for (const column of this.#columns) column.hidden = !visits.size;
    if (this.#rows.length === 0) replace(this.#list);
    while (this.#rows.length > shown.length) this.#rows.pop()?.button.parentElement?.remove();
    shown.forEach((line, i) => this.#drawRow(i, line, analysis, visits.get(line.moves[0] ?? "")));
  }

  #drawRest(rests: Study["rests"]): void {
    const { element, words, goOn } = this.#rest;
    element.hidden = !rests;
    if (!rests) return;
    if (words.textContent !== t(rests)) words.textContent = t(rests);
    goOn.hidden = rests === "queued";
  }

  #drawRow(i: number, line: Line, analysis: Analysis, visits: number | undefined): void {
    const row = this.#rows[i] ?? this.#addRow();
    row.line = line;
    row.visits.hidden = this.#columns[0].hidden;
    row.visits.textContent = visits === undefined ? "–" : visits > 0 && visits < 0.005 ? "< 1 %" : `${Math.round(100 * visits)} %`;
    const value = isKnown(line, analysis) ? worth(line) : "–";
    if (row.chip.textContent !== value) row.chip.textContent = value;
    row.chip.className = `chip ${line.proof === "won" ? "won" : line.proof === "lost" ? "lost" : analysis.to_move}`;
    // A line that has not changed keeps its elements, so that the pointer stays where it was.
    const text = line.moves.slice(0, MOST_MOVES).join(" ");
    if (row.text === text) return;
    row.text = text;
    replace(row.moves, line.moves.slice(0, MOST_MOVES).map((move, at) => h("span", { "data-at": at }, move)));
  }

  #addRow(): Row {
    const chip = h("span", { class: "chip" });
    const moves = h("span", { class: "line-moves" });
    const visits = h("span", { class: "visits" });
    const button = h("button", { type: "button", class: "line" }, chip, moves, visits);
    const row = { button, chip, moves, visits, line: null, text: "" } as Row;
    const upTo = (target: EventTarget | null) => {
      const at = target instanceof HTMLElement ? target.dataset["at"] : undefined;
      return at === undefined ? undefined : Number(at) + 1;
    };
    const preview = (target: EventTarget | null) => this.options.onpreview(row.line?.moves.slice(0, upTo(target) ?? MOST_MOVES) ?? []);
    button.addEventListener("pointermove", (event) => event.pointerType !== "touch" && preview(event.target));
    button.addEventListener("focus", () => button.matches(":focus-visible") && preview(null));
    button.addEventListener("pointerleave", () => this.options.onpreview([]));
    button.addEventListener("blur", () => this.options.onpreview([]));
    button.addEventListener("click", (event) => {
      if (row.line) this.options.onplay(row.line.moves.slice(0, upTo(event.target) ?? 1));
    });
    this.#list.append(h("li", {}, button));
    this.#rows.push(row);
    return row;
  }
}
