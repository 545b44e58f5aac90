import { chart, figure } from "./chart.js";
import { h } from "./dom.js";
import { gallery } from "./gallery.js";
import { curveName, metricName } from "./metrics.js";
import { kindName } from "./names.js";
import { settings } from "./settings.js";
import { explain } from "./troubles.js";
import { dateText, isWord, t } from "./words.js";
const MOST_CURVES = 6;
const FLAT = 3;
const COUNTERS = new Set(["step", "steps", "minutes", "games", "rows", "evaluations", "moves", "generations", "window", "epoch", "played", "scouted", "drawn"]);
const TILES = ["games", "games_per_second", "evaluations_per_second", "steps", "generations", "minutes", "rating", "must_block"];
const GROUPS = [
    ["chart_rating", (key) => key.startsWith("rating")],
    ["chart_loss", (key) => /(^|_)loss$/.test(key)],
    ["chart_ladder", (key) => /^(ladder|evaluate)_.*wins$/.test(key)],
    ["chart_shares", (key) => /_(share|rate)$|^must_block$|^draws$|^validation_/.test(key)],
    ["chart_scores", (key) => /(^|_)score$/.test(key)],
    ["chart_length", (key) => /(^|_)length$/.test(key)],
    ["chart_reward", (key) => /(^|_)reward$/.test(key)],
];
export function stateWord(state) {
    const words = { running: "state_running", finished: "state_finished", stopped: "state_stopped", failed: "state_failed" };
    return state && words[state] ? t(words[state]) : (state ?? "");
}
export function pill(state, alarmed = false) {
    const tone = alarmed ? "alarmed" : state === "running" ? "running" : "";
    return h("span", { class: `pill ${tone}` }, alarmed ? t("state_alarmed") : stateWord(state));
}
export function showRun(run) {
    const { method, state, begun, why } = run.about;
    const last = newestOf(run);
    return [
        h("header", { class: "title-row" }, h("h2", {}, run.name), pill(state ?? null)),
        h("p", { class: "about" }, [method && kindName(method), begun && dateText(new Date(begun))].filter(Boolean).join(" · ")),
        ...(state === "failed" && why ? [h("p", { class: "about" }, explain({ message: why }))] : []),
        ...alarmsOf(run),
        h("dl", { class: "tiles" }, TILES.filter((key) => typeof last[key] === "number").map((key) => h("div", {}, h("dt", {}, metricName(key)), h("dd", {}, textOf(key)(last[key]))))),
        ...gamesOf(run),
        h("div", { class: "charts" }, chartsOf(run).map(chart)),
        h("details", { class: "config" }, h("summary", {}, t("config")), h("pre", { tabindex: 0 }, run.config)),
    ];
}
function textOf(key) {
    if (key === "must_block")
        return (value) => `${Math.round(100 * value)} %`;
    return key.startsWith("rating") ? (value) => String(Math.round(value)) : figure;
}
function newestOf(run) {
    const newest = {};
    const goesOn = run.about["state"] === "running";
    for (const [key, values] of Object.entries(run.columns)) {
        const known = values.filter((each) => each !== null);
        if (!known.length)
            continue;
        newest[key] = key.endsWith("_per_second") && !goesOn ? middle(known) : known[known.length - 1];
    }
    return newest;
}
function middle(values) {
    return [...values].sort((a, b) => a - b)[values.length >> 1];
}
function alarmsOf(run) {
    const { alarms } = run.about;
    if (typeof alarms !== "object" || alarms === null)
        return [];
    const given = Object.entries(alarms).filter(([, alarm]) => typeof alarm?.since === "number");
    given.sort(([, a], [, b]) => Number(a.until !== null) - Number(b.until !== null));
    return given.map(([name, alarm]) => {
        const from = minutesAt(run, alarm.since);
        const when = alarm.until === null ? t("since_minute", from) : t("from_to_minute", from, minutesAt(run, alarm.until));
        return h("p", { class: alarm.until === null ? "alarm" : "alarm over", role: "note" }, h("b", {}, alarmName(name)), ` ${meaningOf(name, alarm)} `, h("small", {}, when));
    });
}
function alarmWord(name) {
    return `alarm_${name.replace(/\W+/g, "_")}`;
}
function alarmName(name) {
    const word = alarmWord(name);
    return isWord(word) ? t(word) : capital(name);
}
function meaningOf(name, alarm) {
    const word = `${alarmWord(name)}_means`;
    return settings.value.language !== "en" && isWord(word) ? t(word) : capital(String(alarm.meaning));
}
function minutesAt(run, step) {
    const at = (run.columns["step"] ?? []).findIndex((value) => typeof value === "number" && value >= step);
    const minutes = run.columns["minutes"]?.[at];
    return typeof minutes === "number" ? figure(minutes) : "?";
}
function gamesOf(run) {
    if (!run.games.length)
        return [];
    const word = run.about["method"] === "evolution" ? "generation_n" : "game_n";
    const games = [...run.games].reverse().map((game) => [t(word, game.step), game]);
    return [h("h3", {}, t("sample_games")), gallery(t("sample_games"), games)];
}
function chartsOf(run) {
    const { columns } = run;
    const unit = columns["minutes"] ? "minutes" : "step";
    const at = (columns[unit] ?? []).map((value) => Number(value ?? 0));
    const keys = Object.keys(columns).filter((key) => !COUNTERS.has(key) && !/_draws$|^evaluate_.*_(low|high)$/.test(key) && columns[key].some((value) => typeof value === "number"));
    const numbers = (key) => columns[key].map((value) => (typeof value === "number" ? value : null));
    const made = [];
    const used = new Set();
    for (const [title, belongs] of GROUPS) {
        const together = keys.filter(belongs);
        if (!together.length)
            continue;
        for (const key of together)
            used.add(key);
        const split = pages(together, columns);
        made.push(...split.map((some) => ({
            title: split.length > 1 ? `${t(title)} · ${some.map(curveName).join(", ")}` : t(title),
            at,
            unit: t(unit),
            text: title === "chart_rating" ? textOf("rating") : figure,
            curves: some.map((key) => ({ name: curveName(key), values: numbers(key) })),
        })));
    }
    for (const key of keys.filter((each) => !used.has(each))) {
        made.push({ title: metricName(key), at, unit: t(unit), curves: [{ name: "", values: numbers(key) }] });
    }
    return made;
}
function pages(keys, columns) {
    const pages = [];
    for (const key of keys) {
        const high = highest(columns[key]);
        const fits = (page) => page.keys.length < MOST_CURVES && !isFlat(page.high, high);
        const page = pages.find(fits);
        if (page)
            page.keys.push(key);
        else
            pages.push({ keys: [key], high });
    }
    return pages.map((page) => page.keys);
}
function isFlat(one, other) {
    const [low, high] = [Math.min(one, other), Math.max(one, other)];
    return high > 1 && high > FLAT * low;
}
function highest(values) {
    let high = 0;
    for (const value of values)
        if (typeof value === "number")
            high = Math.max(high, Math.abs(value));
    return high;
}
function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
