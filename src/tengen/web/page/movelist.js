import { Drawn, h, iconButton, replace, reveal } from "./dom.js";
import { turnButtons } from "./turning.js";
import { t } from "./words.js";
export class MoveList {
    flashback;
    element = h("ol", { class: "moves", "aria-label": t("moves"), tabindex: 0 });
    walk;
    #back;
    #on;
    #drawn = new Drawn();
    constructor(flashback) {
        this.flashback = flashback;
        const button = (name, by) => iconButton(name, t(name), () => flashback.step(by), { bare: true, "data-name": name });
        this.#back = [button("first", -Infinity), button("previous", -1)];
        this.#on = [button("next", 1), button("last", Infinity)];
        new ResizeObserver(() => this.#showHere()).observe(this.element);
        this.walk = h("div", { class: "walk" }, this.#back, this.#on, h("span", { class: "gap" }), turnButtons());
    }
    draw(moves) {
        const ply = this.flashback.ply.value;
        const here = ply ?? moves.length;
        for (const button of this.#back)
            button.disabled = here === 0;
        for (const button of this.#on)
            button.disabled = ply === null;
        if (!this.#drawn.isNew("moves", [moves, here]))
            return;
        const hadKeys = this.element.contains(document.activeElement) && document.activeElement !== this.element;
        if (!moves.length)
            replace(this.element, h("li", { class: "none" }, t("no_moves")));
        else
            replace(this.element, this.#rows(moves, here));
        if (hadKeys)
            (this.#current ?? this.element).focus();
        this.#showHere();
    }
    get #current() {
        return this.element.querySelector("[aria-current]");
    }
    #showHere() {
        if (this.flashback.ply.value === null)
            this.element.scrollTop = this.element.scrollHeight;
        else if (this.#current)
            reveal(this.element, this.#current);
    }
    #rows(moves, here) {
        const rows = [];
        for (let i = 0; i < moves.length; i += 2) {
            const cells = moves.slice(i, i + 2).map((move, j) => this.#move(move, i + j + 1, here));
            rows.push(h("li", {}, h("span", { class: "ply" }, i + 1), cells));
        }
        return rows;
    }
    #move(move, ply, here) {
        const isHere = ply === here;
        const more = { "aria-current": isHere ? "true" : undefined, tabindex: isHere ? 0 : -1 };
        return h("button", { type: "button", class: "move", onclick: () => this.flashback.go(ply), ...more }, move);
    }
}
