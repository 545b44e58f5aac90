/** A training run: its newest figures, and its course. */

import { chart, type ChartData, figure } from "./chart.js";
import { h } from "./dom.js";
import { t, type Word } from "./words.js";

export interface RunSummary {
  name: string;
  method: string | null;
  state: string | null;
  begun: string | null;
  updated: string | null;
  newest: Record<string, number | string>;
}

export interface Run {
  name: string;
  about: Record<string, unknown>;
  config: string;
  columns: Record<string, (number | string | null)[]>;
}

/** What only counts up, and says nothing as a curve. */
const COUNTERS = new Set(["step", "steps", "minutes", "games", "rows", "evaluations", "moves", "generations", "window", "epoch", "played"]);
const TILES = ["games", "games_per_second", "evaluations_per_second", "steps", "generations", "minutes", "rating", "must_block"];

/** Figures that are read together are drawn together. */
const GROUPS: [Word, (key: string) => boolean][] = [
  ["chart_rating", (key) => key.startsWith("rating")],
  ["chart_loss", (key) => /(^|_)loss$/.test(key)],
  ["chart_ladder", (key) => /^(ladder|evaluate)_.*wins$/.test(key)],
  ["chart_shares", (key) => /_share$|^must_block$|^draws$/.test(key)],
  ["chart_scores", (key) => /(^|_)score$/.test(key)],
];

const spoken = (key: string) => key.replaceAll("_", " ");

export function stateWord(state: string | null): string {
  const words: Record<string, Word> = { running: "state_running", finished: "state_finished", stopped: "state_stopped" };
  return state && words[state] ? t(words[state]) : (state ?? "");
}

export function pill(state: string | null): HTMLElement {
  return h("span", { class: `pill ${state === "running" ? "running" : ""}` }, stateWord(state));
}

export function showRun(run: Run): HTMLElement[] {
  const { method, state, begun } = run.about as Record<string, string | undefined>;
  const last = newestOf(run);
  return [
    h("header", { class: "title-row" }, h("h2", {}, run.name), pill(state ?? null)),
    h("p", { class: "about" }, [method, begun && new Date(begun).toLocaleString()].filter(Boolean).join(" · ")),
    ...alarmsOf(run.about).map((alarm) => h("p", { class: "alarm" }, alarm)),
    h(
      "dl",
      { class: "tiles" },
      TILES.filter((key) => typeof last[key] === "number").map((key) =>
        h("div", {}, h("dt", {}, spoken(key)), h("dd", {}, figure(last[key] as number))),
      ),
    ),
    h("div", { class: "charts" }, chartsOf(run).map(chart)),
    h("details", { class: "config" }, h("summary", {}, t("config")), h("pre", { tabindex: 0 }, run.config)),
  ];
}

function newestOf(run: Run): Record<string, number | string> {
  const newest: Record<string, number | string> = {};
  for (const [key, values] of Object.entries(run.columns)) {
    const value = [...values].reverse().find((each) => each !== null);
    if (value !== undefined && value !== null) newest[key] = value;
  }
  return newest;
}

/** What the trainer warns of, by name; it knows best. */
function alarmsOf(about: Record<string, unknown>): string[] {
  const { alarms } = about;
  if (typeof alarms !== "object" || alarms === null) return [];
  return Object.entries(alarms).map(([name, meaning]) => `${capital(name)}: ${String(meaning)}`);
}

function chartsOf(run: Run): ChartData[] {
  const { columns } = run;
  const unit = columns["minutes"] ? "minutes" : "step";
  const at = (columns[unit] ?? []).map((value) => Number(value ?? 0));
  const keys = Object.keys(columns).filter(
    (key) => !COUNTERS.has(key) && !/_draws$/.test(key) && columns[key].some((value) => typeof value === "number"),
  );
  const numbers = (key: string) => columns[key].map((value) => (typeof value === "number" ? value : null));
  const made: ChartData[] = [];
  const used = new Set<string>();
  for (const [title, belongs] of GROUPS) {
    const together = keys.filter(belongs);
    if (!together.length) continue;
    for (const key of together) used.add(key);
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

/** Six curves are as many as one tells apart. */
function pages(keys: string[]): string[][] {
  const found = [];
  for (let i = 0; i < keys.length; i += 6) found.push(keys.slice(i, i + 6));
  return found;
}

function shortName(key: string): string {
  return spoken(key.replace(/^(ladder|evaluate)_/, "").replace(/_(wins|loss|share)$/, ""));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
