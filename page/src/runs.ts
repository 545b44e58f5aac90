/** A training run: its newest figures, and its course. */

import { chart, type ChartData, figure } from "./chart.js";
import { h } from "./dom.js";
import { gallery, type ShownGame } from "./gallery.js";
import { curveName, metricName } from "./metrics.js";
import { kindName } from "./names.js";
import { settings } from "./settings.js";
import { explain } from "./troubles.js";
import { dateText, isWord, t, type Word } from "./words.js";

export interface RunSummary {
  name: string;
  method: string | null;
  state: string | null;
  begun: string | null;
  updated: string | null;
  /** How many it gives now. */
  alarms: number;
  newest: Record<string, number | string>;
}

export interface Run {
  name: string;
  about: Record<string, unknown>;
  config: string;
  columns: Record<string, (number | string | null)[]>;
  games: (ShownGame & { step: number })[];
}

interface Alarm {
  meaning: string;
  /** Steps of the log. */
  since: number;
  until: number | null;
}

/** What only counts up, and says nothing as a curve. */
const MOST_CURVES = 6; // on one chart
const FLAT = 3; // how many times higher a curve is, below which another lies flat
const COUNTERS = new Set(["step", "steps", "minutes", "games", "rows", "evaluations", "moves", "generations", "window", "epoch", "played", "scouted", "drawn"]);
const TILES = ["games", "games_per_second", "evaluations_per_second", "steps", "generations", "minutes", "rating", "must_block"];

/** Figures that are read together are drawn together. */
const GROUPS: [Word, (key: string) => boolean][] = [
  ["chart_rating", (key) => key.startsWith("rating")],
  ["chart_loss", (key) => /(^|_)loss$/.test(key)],
  ["chart_ladder", (key) => /^(ladder|evaluate)_.*wins$/.test(key)],
  ["chart_shares", (key) => /_(share|rate)$|^must_block$|^draws$|^validation_/.test(key)],
  ["chart_scores", (key) => /(^|_)score$/.test(key)],
  ["chart_length", (key) => /(^|_)length$/.test(key)],
  ["chart_reward", (key) => /(^|_)reward$/.test(key)],
];

export function stateWord(state: string | null): string {
  const words: Record<string, Word> = { running: "state_running", finished: "state_finished", stopped: "state_stopped", failed: "state_failed" };
  return state && words[state] ? t(words[state]) : (state ?? "");
}

export function pill(state: string | null, alarmed = false): HTMLElement {
  const tone = alarmed ? "alarmed" : state === "running" ? "running" : "";
  return h("span", { class: `pill ${tone}` }, alarmed ? t("state_alarmed") : stateWord(state));
}

export function showRun(run: Run): HTMLElement[] {
  const { method, state, begun, why } = run.about as Record<string, string | undefined>;
  const last = newestOf(run);
  return [
    h("header", { class: "title-row" }, h("h2", {}, run.name), pill(state ?? null)),
    h("p", { class: "about" }, [method && kindName(method), begun && dateText(new Date(begun))].filter(Boolean).join(" · ")),
    ...(state === "failed" && why ? [h("p", { class: "about" }, explain({ message: why }))] : []),
    ...alarmsOf(run),
    h(
      "dl",
      { class: "tiles" },
      TILES.filter((key) => typeof last[key] === "number").map((key) =>
        h("div", {}, h("dt", {}, metricName(key)), h("dd", {}, textOf(key)(last[key] as number))),
      ),
    ),
    ...gamesOf(run),
    h("div", { class: "charts" }, chartsOf(run).map(chart)),
    h("details", { class: "config" }, h("summary", {}, t("config")), h("pre", { tabindex: 0 }, run.config)),
  ];
}

/** How a figure is written. Ratings are whole numbers: 50 points are a difference. */
function textOf(key: string): (value: number) => string {
  if (key === "must_block") return (value) => `${Math.round(100 * value)} %`;
  return key.startsWith("rating") ? (value) => String(Math.round(value)) : figure;
}

/** The newest figures; of a run that has ended the usual speeds, since at its end it was tidying up. */
function newestOf(run: Run): Record<string, number | string> {
  const newest: Record<string, number | string> = {};
  const goesOn = run.about["state"] === "running";
  for (const [key, values] of Object.entries(run.columns)) {
    const known = values.filter((each) => each !== null);
    if (!known.length) continue;
    newest[key] = key.endsWith("_per_second") && !goesOn ? middle(known as number[]) : known[known.length - 1];
  }
  return newest;
}

function middle(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1];
}

/** What the trainer warns of, those that it still warns of first. */
function alarmsOf(run: Run): HTMLElement[] {
  const { alarms } = run.about;
  if (typeof alarms !== "object" || alarms === null) return [];
  const given = Object.entries(alarms as Record<string, Alarm>).filter(([, alarm]) => typeof alarm?.since === "number");
  given.sort(([, a], [, b]) => Number(a.until !== null) - Number(b.until !== null));
  return given.map(([name, alarm]) => {
    const from = minutesAt(run, alarm.since);
    const when = alarm.until === null ? t("since_minute", from) : t("from_to_minute", from, minutesAt(run, alarm.until));
    return h(
      "p",
      { class: alarm.until === null ? "alarm" : "alarm over", role: "note" },
      h("b", {}, alarmName(name)),
      ` ${meaningOf(name, alarm)} `,
      h("small", {}, when),
    );
  });
}

function alarmWord(name: string): string {
  return `alarm_${name.replace(/\W+/g, "_")}`;
}

function alarmName(name: string): string {
  const word = alarmWord(name);
  return isWord(word) ? t(word) : capital(name);
}

/** In the trainer's own words, which have numbers in them, or in the language of the page. */
function meaningOf(name: string, alarm: Alarm): string {
  const word = `${alarmWord(name)}_means`;
  return settings.value.language !== "en" && isWord(word) ? t(word) : capital(String(alarm.meaning));
}

/** When a step was, by the log. */
function minutesAt(run: Run, step: number): string {
  const at = (run.columns["step"] ?? []).findIndex((value) => typeof value === "number" && value >= step);
  const minutes = run.columns["minutes"]?.[at];
  return typeof minutes === "number" ? figure(minutes) : "?";
}

/** Some of the games that were played, the newest first. */
function gamesOf(run: Run): HTMLElement[] {
  if (!run.games.length) return [];
  const word = run.about["method"] === "evolution" ? "generation_n" : "game_n";
  const games = [...run.games].reverse().map((game): [string, ShownGame] => [t(word, game.step), game]);
  return [h("h3", {}, t("sample_games")), gallery(t("sample_games"), games)];
}

function chartsOf(run: Run): ChartData[] {
  const { columns } = run;
  const unit = columns["minutes"] ? "minutes" : "step";
  const at = (columns[unit] ?? []).map((value) => Number(value ?? 0));
  const keys = Object.keys(columns).filter(
    (key) => !COUNTERS.has(key) && !/_draws$|^evaluate_.*_(low|high)$/.test(key) && columns[key].some((value) => typeof value === "number"),
  );
  const numbers = (key: string) => columns[key].map((value) => (typeof value === "number" ? value : null));
  const made: ChartData[] = [];
  const used = new Set<string>();
  for (const [title, belongs] of GROUPS) {
    const together = keys.filter(belongs);
    if (!together.length) continue;
    for (const key of together) used.add(key);
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

/** Curves that are drawn together: as many as one tells apart, and none so high that others lie flat below it. */
function pages(keys: string[], columns: Run["columns"]): string[][] {
  const pages: { keys: string[]; high: number }[] = [];
  for (const key of keys) {
    const high = highest(columns[key]);
    const fits = (page: { keys: string[]; high: number }) => page.keys.length < MOST_CURVES && !isFlat(page.high, high);
    const page = pages.find(fits);
    if (page) page.keys.push(key);
    else pages.push({ keys: [key], high });
  }
  return pages.map((page) => page.keys);
}

function isFlat(one: number, other: number): boolean {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  return high > 1 && high > FLAT * low; // shares are from 0 to 1, and read together
}

function highest(values: (number | string | null)[]): number {
  let high = 0;
  for (const value of values) if (typeof value === "number") high = Math.max(high, Math.abs(value));
  return high;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
