import { h, replace } from "./dom.js";
import { short } from "./figures.js";
const WIDTH = 340;
const HEIGHT = 150;
const MOST_STEPS = 4;
const MOST_POINTS = 45;
const LEFT = 46;
const BOTTOM = 18;
const COLOURS = ["var(--c1)", "var(--c2)", "var(--c3)", "var(--c4)", "var(--c5)", "var(--c6)"];
export function figure(value) {
    const size = Math.abs(value);
    const sign = value < 0 ? "−" : "";
    if (size >= 1000)
        return sign + short(size);
    if (size > 0 && size < 0.001)
        return sign + size.toExponential(1).replace("-", "−");
    if (size >= 100 || Number.isInteger(value))
        return sign + String(Math.round(size));
    return sign + (size >= 0.1 ? String(Number(size.toFixed(size >= 10 ? 1 : 2))) : String(Number(size.toPrecision(2))));
}
export function chart(data) {
    const known = data.curves.flatMap(({ values }) => values.filter((value) => value !== null));
    const text = data.text ?? figure;
    const ticks = ticksOf(...range(known));
    const [low, high] = [ticks[0], ticks[ticks.length - 1]];
    const last = data.at.at(-1) ?? 1;
    const begin = data.at[0] ?? 0;
    const first = begin < last / 5 ? 0 : begin;
    const x = (at) => LEFT + ((at - first) / (last - first || 1)) * (WIDTH - LEFT - 8);
    const y = (value) => 8 + (1 - (value - low) / (high - low)) * (HEIGHT - BOTTOM - 14);
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${data.title}: ${data.curves.map((curve) => `${curve.name} ${newest(curve, text)}`).join(", ")}`);
    svg.innerHTML = axes(ticks, y, [first, last], data.unit, text) + data.curves.map((curve, i) => path(curve, data.at, x, y, i)).join("") + '<path class="here"/>';
    const legend = h("div", { class: "legend" });
    const tell = (index) => {
        svg.querySelector(".here")?.setAttribute("d", index === null ? "" : `M${x(data.at[index]).toFixed(1)} 8V${HEIGHT - BOTTOM - 6}`);
        replace(legend, data.curves.map((curve, i) => h("span", { style: `--tone:${COLOURS[i % COLOURS.length]}` }, curve.name, h("b", {}, index === null ? newest(curve, text) : valueAt(curve, index, text)))));
    };
    tell(null);
    svg.addEventListener("pointermove", (event) => {
        const box = svg.getBoundingClientRect();
        const wanted = first + ((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - 8)) * (last - first);
        tell(nearest(data.at, wanted));
    });
    svg.addEventListener("pointerleave", () => tell(null));
    return h("figure", { class: "chart" }, h("figcaption", {}, data.title), svg, legend);
}
function range(values) {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values)
        [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (low > high)
        return [0, 1];
    if (low >= 0 && low < high && low < high / 2)
        low = 0;
    if (low === high)
        return low >= 0 ? [0, 2 * high || 1] : [low - 1, high + 1];
    return [low, high];
}
function ticksOf(low, high) {
    const wanted = (high - low) / MOST_STEPS;
    const unit = 10 ** Math.floor(Math.log10(wanted));
    const step = unit * ([1, 2, 2.5, 5].find((each) => each * unit >= wanted * 0.999) ?? 10);
    const [from, to] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    return Array.from({ length: to - from + 1 }, (_, i) => Number(((from + i) * step).toPrecision(12)));
}
function axes(ticks, y, [first, last], unit, text) {
    const lines = ticks.map((tick) => `<path class="rule" d="M${LEFT} ${y(tick).toFixed(1)}H${WIDTH - 8}"/>` +
        `<text x="${LEFT - 6}" y="${y(tick).toFixed(1)}" text-anchor="end" dominant-baseline="central">${text(tick)}</text>`);
    const begin = `<text x="${LEFT}" y="${HEIGHT - 4}">${figure(first)}</text>`;
    return `${lines.join("")}${begin}<text x="${WIDTH - 8}" y="${HEIGHT - 4}" text-anchor="end">${figure(last)} ${unit}</text>`;
}
function path(curve, at, x, y, i) {
    const points = curve.values.flatMap((value, k) => (value === null ? [] : [`${x(at[k]).toFixed(1)} ${y(value).toFixed(1)}`]));
    const tone = `style="--tone:${COLOURS[i % COLOURS.length]}"`;
    const drawn = points.length ? `M${points.join("L")}` : "";
    const dots = points.length <= MOST_POINTS ? points.map((point) => `M${point}h.01`).join("") : "";
    return `<path class="curve" ${tone} d="${drawn}"/><path class="points" ${tone} d="${dots}"/>`;
}
function newest({ values }, text) {
    const value = [...values].reverse().find((each) => each !== null);
    return value === undefined || value === null ? "–" : text(value);
}
function valueAt({ values }, index, text) {
    for (let i = index; i >= 0; i--)
        if (values[i] !== null)
            return text(values[i]);
    return "–";
}
function nearest(at, wanted) {
    let best = 0;
    at.forEach((value, i) => {
        if (Math.abs(value - wanted) < Math.abs(at[best] - wanted))
            best = i;
    });
    return best;
}
