import { chart, figure } from "./chart.js";
import { h } from "./dom.js";
import { t } from "./words.js";
const COUNTERS = new Set(["step", "steps", "minutes", "games", "rows", "evaluations", "moves", "generations", "window", "epoch", "played"]);
const TILES = ["games", "games_per_second", "evaluations_per_second", "steps", "generations", "minutes", "rating", "must_block"];
const GROUPS = [
    ["chart_rating", (key) => key.startsWith("rating")],
    ["chart_loss", (key) => /(^|_)loss$/.test(key)],
    ["chart_ladder", (key) => /^(ladder|evaluate)_.*wins$/.test(key)],
    ["chart_shares", (key) => /_share$|^must_block$|^draws$/.test(key)],
    ["chart_scores", (key) => /(^|_)score$/.test(key)],
];
const spoken = (key) => key.replaceAll("_", " ");
export function stateWord(state) {
    const words = { running: "state_running", finished: "state_finished", stopped: "state_stopped" };
    return state && words[state] ? t(words[state]) : (state ?? "");
}
export function pill(state) {
    return h("span", { class: `pill ${state === "running" ? "running" : ""}` }, stateWord(state));
}
export function showRun(run) {
    const { method, state, begun } = run.about;
    const last = newestOf(run);
    return [
        h("header", { class: "title-row" }, h("h2", {}, run.name), pill(state ?? null)),
        h("p", { class: "about" }, [method, begun && new Date(begun).toLocaleString()].filter(Boolean).join(" · ")),
        ...alarmsOf(run.about).map((alarm) => h("p", { class: "alarm" }, alarm)),
        h("dl", { class: "tiles" }, TILES.filter((key) => typeof last[key] === "number").map((key) => h("div", {}, h("dt", {}, spoken(key)), h("dd", {}, figure(last[key]))))),
        h("div", { class: "charts" }, chartsOf(run).map(chart)),
        h("details", { class: "config" }, h("summary", {}, t("config")), h("pre", { tabindex: 0 }, run.config)),
    ];
}
function newestOf(run) {
    const newest = {};
    for (const [key, values] of Object.entries(run.columns)) {
        const value = [...values].reverse().find((each) => each !== null);
        if (value !== undefined && value !== null)
            newest[key] = value;
    }
    return newest;
}
function alarmsOf(about) {
    const { alarms } = about;
    if (typeof alarms !== "object" || alarms === null)
        return [];
    return Object.entries(alarms).map(([name, meaning]) => `${capital(name)}: ${String(meaning)}`);
}
function chartsOf(run) {
    const { columns } = run;
    const unit = columns["minutes"] ? "minutes" : "step";
    const at = (columns[unit] ?? []).map((value) => Number(value ?? 0));
    const keys = Object.keys(columns).filter((key) => !COUNTERS.has(key) && !/_draws$/.test(key) && columns[key].some((value) => typeof value === "number"));
    const numbers = (key) => columns[key].map((value) => (typeof value === "number" ? value : null));
    const made = [];
    const used = new Set();
    for (const [title, belongs] of GROUPS) {
        const together = keys.filter(belongs);
        if (!together.length)
            continue;
        for (const key of together)
            used.add(key);
        made.push(...pages(together).map((some) => ({
            title: t(title),
            at,
            unit: t(unit),
            curves: some.map((key) => ({ name: shortName(key), values: numbers(key) })),
        })));
    }
    for (const key of keys.filter((each) => !used.has(each))) {
        made.push({ title: capital(spoken(key)), at, unit: t(unit), curves: [{ name: "", values: numbers(key) }] });
    }
    return made;
}
function pages(keys) {
    const found = [];
    for (let i = 0; i < keys.length; i += 6)
        found.push(keys.slice(i, i + 6));
    return found;
}
function shortName(key) {
    return spoken(key.replace(/^(ladder|evaluate)_/, "").replace(/_(wins|loss|share)$/, ""));
}
function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
