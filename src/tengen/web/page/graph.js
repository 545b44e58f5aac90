import { h, replace } from "./dom.js";
import { percent } from "./figures.js";
import { t } from "./words.js";
const WIDTH = 320;
const HEIGHT = 72;
export class Graph {
    onjump;
    element;
    #plot = h("div", { class: "plot" });
    #slider;
    #nodes = [];
    #drawn = "";
    constructor(onjump) {
        this.onjump = onjump;
        this.#slider = h("input", { type: "range", min: 0, step: 1, class: "over", "aria-label": t("graph"), oninput: () => this.#jump() });
        this.element = h("div", { class: "graph" }, this.#plot, this.#slider);
    }
    #jump() {
        const node = this.#nodes[Number(this.#slider.value)];
        if (node)
            this.onjump(node);
    }
    draw(tree) {
        this.#nodes = [tree.root, ...tree.line()];
        const at = this.#nodes.indexOf(tree.current);
        const values = this.#nodes.map(({ value }) => value);
        const drawn = JSON.stringify([at, values.map((value) => value?.toFixed(2))]);
        if (drawn === this.#drawn)
            return;
        this.#drawn = drawn;
        const last = Math.max(1, this.#nodes.length - 1);
        this.#slider.max = String(this.#nodes.length - 1);
        this.#slider.disabled = this.#nodes.length < 2;
        this.#slider.value = String(at);
        const value = values[at];
        this.#slider.setAttribute("aria-valuetext", `${at}${value === null ? "" : `, ${t("black_share", percent(value))}`}`);
        replace(this.#plot, curve(values, at, last));
    }
}
function curve(values, at, last) {
    const x = (i) => 4 + (i / last) * (WIDTH - 8);
    const y = (value) => HEIGHT / 2 - value * (HEIGHT / 2 - 3);
    const known = values.map((value, i) => [x(i), value === null ? null : y(value)]);
    const points = known.filter((point) => point[1] !== null);
    const path = points.map(([px, py], i) => `${i ? "L" : "M"}${px.toFixed(1)} ${py.toFixed(1)}`).join("");
    const area = points.length > 1 ? `${path}L${points.at(-1)?.[0].toFixed(1)} ${HEIGHT}L${points[0][0].toFixed(1)} ${HEIGHT}Z` : "";
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    const here = known[at];
    svg.innerHTML =
        `<path class="area" d="${area}"/><path class="middle" d="M0 ${HEIGHT / 2}H${WIDTH}"/><path class="curve" d="${path}"/>` +
            `<path class="here" d="M${here[0].toFixed(1)} 0V${HEIGHT}"/>` +
            (points.length === 1 ? `<path class="curve dot" d="M${points[0][0]} ${points[0][1]}h.01"/>` : "");
    return svg;
}
