/** The view in which learning and matches are watched. */

import { h, replace } from "./dom.js";
import { type Match, type MatchSummary, matchTitle, type Net, showMatch, showNets } from "./matches.js";
import { gameTitle } from "./names.js";
import { pill, type Run, type RunSummary, showRun } from "./runs.js";
import type { Page } from "./shell.js";
import { t } from "./words.js";

const EVERY = 5000;

async function get<T>(address: string): Promise<T | null> {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? ((await answer.json()) as T) : null;
}

export class WatchPage implements Page {
  readonly element: HTMLElement;
  readonly #list = h("nav", { class: "shelf", "aria-label": t("watch") });
  readonly #detail = h("section", { class: "detail" });
  #address: string;
  #runs: RunSummary[] = [];
  #matches: MatchSummary[] = [];
  #shown = ""; // what the detail was drawn from
  #timer: ReturnType<typeof setInterval>;
  #closed = false;

  constructor(address: string) {
    this.#address = address;
    this.element = h("main", { class: "view watch" }, h("h1", { class: "unseen" }, t("watch")), this.#list, this.#detail);
    this.#timer = setInterval(this.#look, EVERY);
    document.addEventListener("visibilitychange", this.#look);
    void this.#refresh();
  }

  /** Nobody watches a hidden tab; one that is shown again is up to date at once. */
  readonly #look = (): void => {
    if (document.visibilityState === "visible") void this.#refresh();
  };

  close(): void {
    this.#closed = true;
    document.removeEventListener("visibilitychange", this.#look);
    clearInterval(this.#timer);
  }

  moved(address: string): void {
    this.#address = address;
    void this.#refresh();
  }

  async #refresh(): Promise<void> {
    const [runs, matches] = await Promise.all([get<{ all: RunSummary[] }>("/api/runs"), get<{ all: MatchSummary[] }>("/api/arena")]);
    if (this.#closed || !runs || !matches) return;
    [this.#runs, this.#matches] = [runs.all, matches.all];
    this.#drawList();
    await this.#drawDetail();
  }

  /** What the address names, or else the newest run, the newest match, the nets. */
  get #wanted(): [string, string] {
    const [, kind, ...rest] = this.#address.split("/");
    if (kind) return [kind, rest.join("/")];
    if (this.#runs.length) return ["run", this.#runs[0].name];
    if (this.#matches.length) return ["match", String(this.#matches[0].id)];
    return ["nets", ""];
  }

  #drawList(): void {
    const [kind, name] = this.#wanted;
    const focused = (document.activeElement as HTMLElement | null)?.getAttribute("href");
    const { scrollLeft, childElementCount } = this.#list;
    const item = (to: [string, string], title: string, detail: string, extra: HTMLElement | null = null) =>
      h(
        "a",
        { href: `#watch/${to.filter(Boolean).join("/")}`, "aria-current": to[0] === kind && to[1] === name ? "page" : undefined },
        h("span", { class: "who" }, h("b", {}, title), h("small", {}, detail)),
        extra,
      );
    replace(
      this.#list,
      h("h2", {}, t("training")),
      this.#runs.map((run) => item(["run", run.name], run.name, run.method ?? "", pill(run.state, run.alarms > 0))),
      this.#runs.length ? null : h("p", { class: "about" }, t("no_runs"), h("code", {}, "tengen train alphazero --preset laptop-8x8 --out runs/first")),
      h("h2", {}, t("arena")),
      this.#matches.map((match) => item(["match", String(match.id)], matchTitle(match), `${gameTitle(match.settings.game)} · ${t("n_games", match.games)}`)),
      this.#matches.length ? null : h("p", { class: "about" }, t("no_matches"), h("code", {}, "tengen arena greedy random --games 20 --db arena.db")),
      h("h2", {}, t("nets")),
      item(["nets", ""], t("nets_at_hand"), t("nets_about")),
    );
    if (focused) this.#list.querySelector<HTMLElement>(`[href="${CSS.escape(focused)}"]`)?.focus();
    const current = this.#list.querySelector<HTMLElement>("[aria-current]");
    // On a phone the list is a row: what is chosen is in sight, and what was scrolled to stays there.
    this.#list.scrollLeft = childElementCount ? scrollLeft : (current?.offsetLeft ?? 0) - 12;
  }

  async #drawDetail(): Promise<void> {
    const [kind, name] = this.#wanted;
    let data: unknown = null;
    if (kind === "run") data = await get<Run>(`/api/runs?name=${encodeURIComponent(name)}`);
    else if (kind === "match") data = await get<Match>(`/api/arena?match=${encodeURIComponent(name)}`);
    else data = await get<{ nets: Net[] }>("/api/nets");
    const shown = JSON.stringify([kind, name, data]);
    if (this.#closed || shown === this.#shown) return; // nothing new: leave what is open open
    this.#shown = shown;
    const keep = this.#kept();
    if (!data) replace(this.#detail, h("p", { class: "about" }, t("not_found")));
    else if (kind === "run") replace(this.#detail, showRun(data as Run));
    else if (kind === "match") replace(this.#detail, showMatch(data as Match));
    else replace(this.#detail, showNets((data as { nets: Net[] }).nets));
    keep();
  }

  /** What a person has opened or scrolled to in the detail; the call after it is drawn anew brings that back. */
  #kept(): () => void {
    const [gallery, config] = [() => this.#detail.querySelector(".gallery"), () => this.#detail.querySelector("details")];
    const [left, open, name] = [gallery()?.scrollLeft ?? 0, config()?.open ?? false, this.#detail.querySelector("h2")?.textContent];
    return () => {
      if (this.#detail.querySelector("h2")?.textContent !== name) return;
      if (gallery()) (gallery() as Element).scrollLeft = left;
      if (open) config()?.setAttribute("open", "");
    };
  }
}
