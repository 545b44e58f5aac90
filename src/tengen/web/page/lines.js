import { h, replace } from "./dom.js";
import { short, worth } from "./figures.js";
import { t } from "./words.js";
const MOST_MOVES = 14;
export class Lines {
    options;
    element;
    #stats = h("p", { class: "stats" });
    #list = h("ol", { class: "lines", "aria-label": t("lines") });
    #rows = [];
    constructor(corner, options) {
        this.options = options;
        this.element = h("div", { class: "found" }, h("div", { class: "facts" }, this.#stats, corner), this.#list);
    }
    draw(analysis, most, message) {
        if (!analysis) {
            this.#rows.length = 0;
            replace(this.#stats);
            replace(this.#list, h("li", { class: "none" }, message));
            this.options.onpreview([]);
            return;
        }
        const depth = analysis.selective_depth > analysis.depth ? `${analysis.depth}/${analysis.selective_depth}` : analysis.depth;
        replace(this.#stats, analysis.depth ? h("span", {}, t("depth", depth)) : null, h("span", {}, t("nodes", short(analysis.nodes))), analysis.nodes_per_second ? h("span", {}, t("speed", short(analysis.nodes_per_second))) : null, h("span", {}, `${analysis.seconds.toFixed(1)} s`));
        const shown = analysis.lines.slice(0, most);
        if (this.#rows.length === 0)
            replace(this.#list);
        while (this.#rows.length > shown.length)
            this.#rows.pop()?.button.parentElement?.remove();
        shown.forEach((line, i) => this.#drawRow(i, line, analysis.to_move));
    }
    #drawRow(i, line, toMove) {
        const row = this.#rows[i] ?? this.#addRow();
        row.line = line;
        const value = worth(line);
        if (row.chip.textContent !== value)
            row.chip.textContent = value;
        row.chip.className = `chip ${line.proof === "won" ? "won" : line.proof === "lost" ? "lost" : toMove}`;
        const text = line.moves.slice(0, MOST_MOVES).join(" ");
        if (row.text === text)
            return;
        row.text = text;
        replace(row.moves, line.moves.slice(0, MOST_MOVES).map((move, at) => h("span", { "data-at": at }, move)));
    }
    #addRow() {
        const chip = h("span", { class: "chip" });
        const moves = h("span", { class: "line-moves" });
        const button = h("button", { type: "button", class: "line" }, chip, moves);
        const row = { button, chip, moves, line: null, text: "" };
        const upTo = (target) => {
            const at = target instanceof HTMLElement ? target.dataset["at"] : undefined;
            return at === undefined ? undefined : Number(at) + 1;
        };
        const preview = (target) => this.options.onpreview(row.line?.moves.slice(0, upTo(target) ?? MOST_MOVES) ?? []);
        button.addEventListener("pointermove", (event) => event.pointerType !== "touch" && preview(event.target));
        button.addEventListener("focus", () => button.matches(":focus-visible") && preview(null));
        button.addEventListener("pointerleave", () => this.options.onpreview([]));
        button.addEventListener("blur", () => this.options.onpreview([]));
        button.addEventListener("click", (event) => {
            if (row.line)
                this.options.onplay(row.line.moves.slice(0, upTo(event.target) ?? 1));
        });
        this.#list.append(h("li", {}, button));
        this.#rows.push(row);
        return row;
    }
}
