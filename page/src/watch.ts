/** The view in which learning and matches are watched. */

import { h, replace } from "./dom.js";
import { type Match, type MatchSummary, matchTitle, type Net, showMatch, showNets } from "./matches.js";
import { gameTitle, kindName } from "./names.js";
import { pill, type Run, type RunSummary, showRun } from "./runs.js";
import type { Page } from "./shell.js";
import { explain, type Trouble } from "./troubles.js";
import { t } from "./words.js";

const EVERY = 5000;
const FRAMES = ".scroll, .gallery, pre"; // that scroll on their own
const FOCUSABLE = "a[href], button, summary, [tabindex]";

/** What the server told, or why it could not. */
type Told<T> = { data: T; trouble?: undefined } | { data?: undefined; trouble: string };

/** Rejects where there is no server, or nobody waits any more. */
async function get<T>(address: string, signal: AbortSignal): Promise<Told<T>> {
  const answer = await fetch(address, { signal });
  if (answer.ok) return { data: (await answer.json()) as T };
  const { error } = (await answer.json().catch(() => ({}))) as { error?: Trouble };
  return { trouble: error ? explain(error) : `${answer.status} ${answer.statusText}` };
}

export class WatchPage implements Page {
  readonly element: HTMLElement;
  readonly #list = h("nav", { class: "shelf", "aria-label": t("watch") });
  readonly #detail = h("section", { class: "detail" });
  #address: string;
  #runs: Told<RunSummary[]> = { data: [] };
  #matches: Told<MatchSummary[]> = { data: [] };
  #shown = ""; // what the detail was drawn from
  #timer: ReturnType<typeof setInterval>;
  #asking: AbortController | null = null; // ended where its answer would be of no use any more

  constructor(address: string) {
    this.#address = address;
    this.element = h("main", { class: "view watch" }, h("h1", { class: "unseen" }, t("watch")), this.#list, this.#detail);
    this.#timer = setInterval(this.#look, EVERY);
    document.addEventListener("visibilitychange", this.#look);
    void this.#refresh();
  }

  /** Nobody watches a hidden tab; one that is shown again is up to date at once. A slow server is asked once. */
  readonly #look = (): void => {
    if (document.visibilityState === "visible" && !this.#asking) void this.#refresh();
  };

  close(): void {
    this.#asking?.abort();
    document.removeEventListener("visibilitychange", this.#look);
    clearInterval(this.#timer);
  }

  moved(address: string): void {
    this.#address = address;
    void this.#refresh();
  }

  /** Ask anew; what was asked before is of another address or older. */
  async #refresh(): Promise<void> {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      await this.#ask(asking.signal);
    } catch {
      // No server, or another question came: what is shown stays.
    }
    if (this.#asking === asking) this.#asking = null;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const list = async <T>(address: string): Promise<Told<T[]>> => {
      const { data, trouble } = await get<{ all: T[] }>(address, signal);
      return data ? { data: data.all } : { trouble: trouble ?? "" };
    };
    [this.#runs, this.#matches] = await Promise.all([list<RunSummary>("/api/runs"), list<MatchSummary>("/api/arena")]);
    this.#drawList();
    const [kind, name] = this.#wanted;
    const address = kind === "run" ? `/api/runs?name=${encodeURIComponent(name)}` : kind === "match" ? `/api/arena?match=${encodeURIComponent(name)}` : "/api/nets";
    this.#drawDetail(kind, name, await get<unknown>(address, signal));
  }

  /** What the address names, or else the newest run, the newest match, the nets. */
  get #wanted(): [string, string] {
    const [, kind, ...rest] = this.#address.split("/");
    if (kind) return [kind, rest.join("/")];
    const [run, match] = [this.#runs.data?.[0], this.#matches.data?.[0]];
    if (run) return ["run", run.name];
    if (match) return ["match", String(match.id)];
    return ["nets", ""];
  }

  #drawList(): void {
    const [kind, name] = this.#wanted;
    const item = (to: [string, string], title: string, detail: string, extra: HTMLElement | null = null) =>
      h(
        "a",
        { href: `#watch/${to.filter(Boolean).join("/")}`, "aria-current": to[0] === kind && to[1] === name ? "page" : undefined },
        h("span", { class: "who" }, h("b", {}, title), h("small", {}, detail)),
        extra,
      );
    const run = (each: RunSummary) => item(["run", each.name], each.name, each.method ? kindName(each.method) : "", pill(each.state, each.alarms > 0));
    const match = (each: MatchSummary) => item(["match", String(each.id)], matchTitle(each), `${gameTitle(each.settings.game)} · ${t("n_games", each.games)}`);
    const shown = h(
      "nav",
      {},
      h("h2", {}, t("training")),
      part(this.#runs, run, t("no_runs"), "tengen train alphazero --preset laptop-8x8 --out runs/first"),
      h("h2", {}, t("arena")),
      part(this.#matches, match, t("no_matches"), "tengen arena greedy random --games 20 --db arena.db"),
      h("h2", {}, t("nets")),
      item(["nets", ""], t("nets_at_hand"), t("nets_about")),
    );
    const links = (list: HTMLElement) => [...list.children].map((each) => each.getAttribute("href")).join();
    if (links(shown) === links(this.#list)) [...shown.children].forEach((each, i) => renew(this.#list.children[i], each));
    else this.#lay([...shown.children]);
  }

  #lay(items: Element[]): void {
    const focused = (document.activeElement as HTMLElement | null)?.getAttribute("href");
    const { scrollLeft, childElementCount } = this.#list;
    replace(this.#list, items);
    if (focused) this.#list.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus();
    const current = this.#list.querySelector<HTMLElement>("[aria-current]");
    const isBare = !this.#runs.data?.length && !this.#matches.data?.length; // then what to do about it is read from its beginning
    // On a phone the list is a row: what is chosen is in sight, and what was scrolled to stays there.
    this.#list.scrollLeft = childElementCount ? scrollLeft : isBare ? 0 : (current?.offsetLeft ?? 0) - 12;
  }

  #drawDetail(kind: string, name: string, told: Told<unknown>): void {
    const shown = JSON.stringify([kind, name, told]);
    if (shown === this.#shown) return; // nothing new: leave what is open open
    this.#shown = shown;
    const keep = this.#kept();
    const { data, trouble } = told;
    if (!data) replace(this.#detail, h("p", { class: "about" }, this.#isGone(kind, name) ? t("not_found") : trouble));
    else if (kind === "run") replace(this.#detail, showRun(data as Run));
    else if (kind === "match") replace(this.#detail, showMatch(data as Match));
    else replace(this.#detail, showNets((data as { nets: Net[] }).nets));
    keep();
  }

  /** Whether the list of its kind is known, and it is not there. */
  #isGone(kind: string, name: string): boolean {
    if (kind === "run") return this.#runs.data?.every((each) => each.name !== name) ?? false;
    return kind === "match" && (this.#matches.data?.every((each) => String(each.id) !== name) ?? false);
  }

  /** What a person has opened, scrolled to or stands on in the detail; the call after it is drawn anew brings that back. */
  #kept(): () => void {
    const name = this.#detail.querySelector("h2")?.textContent;
    const isOpen = this.#detail.querySelector("details")?.open ?? false;
    const scrolled = [...named(this.#detail, FRAMES)].map(([key, { scrollLeft, scrollTop }]) => ({ key, scrollLeft, scrollTop }));
    const focused = [...named(this.#detail, FOCUSABLE)].find(([, element]) => element === document.activeElement)?.[0];
    return () => {
      if (this.#detail.querySelector("h2")?.textContent !== name) return;
      if (isOpen) this.#detail.querySelector("details")?.setAttribute("open", "");
      const frames = named(this.#detail, FRAMES);
      for (const { key, ...place } of scrolled) Object.assign(frames.get(key) ?? {}, place);
      if (focused) named(this.#detail, FOCUSABLE).get(focused)?.focus({ preventScroll: true });
    };
  }
}

/** Elements by what they are known by, also when they are made anew; of equals by which of them. */
function named(frame: HTMLElement, selector: string): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>();
  const counts = new Map<string, number>();
  for (const element of frame.querySelectorAll<HTMLElement>(selector)) {
    const name = ["href", "data-name", "aria-label"].map((each) => element.getAttribute(each)).find(Boolean) ?? element.tagName;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    found.set(`${name} ${count}`, element);
  }
  return found;
}

/** Make an element what another is, and change no more than differs: a pointer may be held down on it. */
function renew(before: Element, after: Element): void {
  if (before.isEqualNode(after)) return;
  const parts = [...after.children];
  if (before.tagName !== after.tagName || before.childElementCount !== parts.length) return before.replaceWith(after);
  for (const name of before.getAttributeNames()) if (!after.hasAttribute(name)) before.removeAttribute(name);
  for (const name of after.getAttributeNames()) before.setAttribute(name, after.getAttribute(name) ?? "");
  if (parts.length) parts.forEach((part, i) => renew(before.children[i], part));
  else before.textContent = after.textContent;
}

/** A part of the list: its items, how to begin where there are none, or why they cannot be told. */
function part<T>({ data, trouble }: Told<T[]>, item: (each: T) => HTMLElement, none: string, command: string): HTMLElement[] {
  if (!data) return [h("p", { class: "about trouble" }, trouble)];
  return data.length ? data.map(item) : [h("p", { class: "about" }, none, h("code", {}, command))];
}
