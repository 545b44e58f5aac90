/** The moves of the game that is played; a click on one, or the buttons beside them, show the position after it. */

import { Drawn, h, iconButton, replace, reveal } from "./dom.js";
import type { Flashback } from "./flashback.js";
import { turnButtons } from "./turning.js";
import { t } from "./words.js";

export class MoveList {
  readonly element = h("ol", { class: "moves", "aria-label": t("moves"), tabindex: 0 });
  readonly walk: HTMLElement;
  readonly #back: HTMLButtonElement[];
  readonly #on: HTMLButtonElement[];
  readonly #drawn = new Drawn();

  constructor(private readonly flashback: Flashback) {
    const button = (name: "first" | "previous" | "next" | "last", by: number) =>
      iconButton(name, t(name), () => flashback.step(by), { bare: true, "data-name": name });
    this.#back = [button("first", -Infinity), button("previous", -1)];
    this.#on = [button("next", 1), button("last", Infinity)];
    new ResizeObserver(() => this.#showHere()).observe(this.element); // it is drawn before it is on the page
    this.walk = h("div", { class: "walk" }, this.#back, this.#on, h("span", { class: "gap" }), turnButtons());
  }

  draw(moves: readonly string[]): void {
    const ply = this.flashback.ply.value;
    const here = ply ?? moves.length;
    for (const button of this.#back) button.disabled = here === 0;
    for (const button of this.#on) button.disabled = ply === null;
    if (!this.#drawn.isNew("moves", [moves, here])) return;
    const hadKeys = this.element.contains(document.activeElement) && document.activeElement !== this.element;
    if (!moves.length) replace(this.element, h("li", { class: "none" }, t("no_moves")));
    else replace(this.element, this.#rows(moves, here));
    if (hadKeys) (this.#current ?? this.element).focus();
    this.#showHere();
  }

  get #current(): HTMLElement | null {
    return this.element.querySelector<HTMLElement>("[aria-current]");
  }

  #showHere(): void {
    if (this.flashback.ply.value === null) this.element.scrollTop = this.element.scrollHeight;
    else if (this.#current) reveal(this.element, this.#current);
  }

  #rows(moves: readonly string[], here: number): HTMLElement[] {
    const rows = [];
    for (let i = 0; i < moves.length; i += 2) {
      const cells = moves.slice(i, i + 2).map((move, j) => this.#move(move, i + j + 1, here));
      rows.push(h("li", {}, h("span", { class: "ply" }, i + 1), cells));
    }
    return rows;
  }

  #move(move: string, ply: number, here: number): HTMLElement {
    const isHere = ply === here;
    const more = { "aria-current": isHere ? "true" : undefined, tabindex: isHere ? 0 : -1 }; // the arrow keys lead to the others
    return h("button", { type: "button", class: "move", onclick: () => this.flashback.go(ply), ...more }, move);
  }
}
