/** The page begins here: the header, the views and what is common to them. */

import { AnalysePage } from "./analyse.js";
import { Connection } from "./connection.js";
import { h, iconButton } from "./dom.js";
import { FIRST_TERMS, Game } from "./game.js";
import { Levels } from "./names.js";
import { PlayPage } from "./play.js";
import { Positions } from "./positions.js";
import { showHelp, showSettings } from "./preferences.js";
import type { About } from "./protocol.js";
import { change, settings, wear } from "./settings.js";
import { addVoices, type App, dropTrouble, type Page, toast } from "./shell.js";
import { Study } from "./study.js";
import { catchDrops, importBytes } from "./transfer.js";
import { WatchPage } from "./watch.js";
import { explain } from "./troubles.js";
import { t, type Word } from "./words.js";

type Opener = (address: string) => Page;

/** What an address asks for; what is no encoded text is taken as it stands, and names nothing. */
function askedFor(hash: string): string {
  const address = hash.slice(1);
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

class Main {
  readonly app: App;
  readonly #views: Record<string, Opener>;
  #page: Page | null = null;
  #name = "";
  #hash = location.hash; // as it was last followed or written
  readonly #notice = h("div", { class: "notice", role: "status", hidden: true });
  #header = h("header", { class: "top" });

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const connection = new Connection(`${scheme}://${location.host}/ws`);
    const levels = new Levels();
    const go = (address: string) => (location.hash = `#${address}`);
    const positions = new Positions(connection);
    this.app = { connection, levels, positions, game: new Game(connection, FIRST_TERMS), go, write: (address) => this.#write(address) };
    const study = new Study(connection, positions);
    this.#views = {
      play: () => new PlayPage(this.app),
      analyse: (address) => new AnalysePage(this.app, study, address),
      watch: (address) => new WatchPage(address),
    };
    catchDrops((file) => this.#open(study, file));
    document.body.append(this.#header, this.#notice);
    addVoices();
    this.#watchConnection();
    void this.#learn();
    addEventListener("hashchange", (event) => {
      this.#hash = new URL(event.newURL).hash; // each in turn: of two at once the bar shows only the last
      this.#route(askedFor(this.#hash));
    });
    addEventListener("keydown", (event) => this.#key(event));
    // Everything that has words or a board in it is drawn anew; sound changes nothing to see, a turn the board alone.
    const dressOf = () => JSON.stringify({ ...settings.value, sound: true, turn: 0 });
    let dressed = dressOf();
    settings.listen(() => {
      const dress = dressOf();
      if (dress !== dressed) this.#rebuild();
      else this.#drawHeader();
      dressed = dress;
    });
    this.#route(askedFor(this.#hash));
  }

  /** Look at a file that was dropped outside Analyse, or on a dialog, which it closes. */
  async #open(study: Study, file: File): Promise<void> {
    const box = document.querySelector<HTMLDialogElement>("dialog[open]");
    const shown = this.#name === "play" ? this.app.game.state.value?.game : undefined;
    // Not before one of its games is chosen: a dialog goes with its view.
    const look = () => {
      if (this.#name !== "analyse") this.app.go("analyse");
    };
    if (await importBytes(study, file, shown, look)) box?.close();
  }

  async #learn(): Promise<void> {
    const answer = await fetch("/api/about").catch(() => null);
    if (!answer?.ok) return;
    this.app.levels.learn((await answer.json()) as About);
    this.app.game.state.set(this.app.game.state.value); // names are known now
  }

  #watchConnection(): void {
    this.app.connection.status.listen((status) => {
      if (status === "lost") this.#notice.textContent = t("lost_connection");
      else if (!this.#notice.hidden) {
        toast(t("back"));
        if (!this.app.levels.about) void this.#learn();
      }
      this.#notice.hidden = status !== "lost";
    });
    this.app.game.refused.listen((reason) => toast(t("game_refused", reason), "bad"));
    this.app.connection.listen((message) => {
      if (message.type === "error" && !["restore", "look", "analyze"].includes(message.do ?? "")) toast(explain(message), "bad");
    });
  }

  #route(address: string): void {
    const wanted = address.split("/")[0];
    const name = Object.hasOwn(this.#views, wanted) ? wanted : "play";
    if (name === this.#name && this.#page) return this.#page.moved?.(address);
    for (const box of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) box.close(); // it was about the view that goes
    dropTrouble();
    this.#show(name, address);
  }

  /** A step that the person has just taken, of which no event has told yet, is not written over: it would be lost. */
  #write(address: string): void {
    if (location.hash !== this.#hash || this.#hash === `#${address}`) return;
    history.replaceState(null, "", `#${address}`);
    this.#hash = location.hash;
  }

  #show(name: string, address: string): void {
    this.#page?.close(name === this.#name);
    this.#page?.element.remove();
    this.#name = name;
    this.#page = this.#views[name](address);
    this.#header.after(this.#page.element);
    document.title = `${t(name as Word)} · Tengen`;
    this.#drawHeader();
  }

  #rebuild(): void {
    this.#show(this.#name, askedFor(this.#hash));
  }

  #drawHeader(): void {
    const { sound } = settings.value;
    const focused = (document.activeElement as HTMLElement | null)?.getAttribute("data-name");
    this.#header.replaceChildren(
      h("a", { class: "brand", href: "#play", "aria-label": "Tengen", "data-name": "brand" }, h("i", { class: "mark" }), h("span", {}, "Tengen")),
      h(
        "nav",
        {},
        Object.keys(this.#views).map((name) =>
          h("a", { href: `#${name}`, "data-name": name, "aria-current": name === this.#name ? "page" : undefined }, t(name as Word)),
        ),
      ),
      h(
        "div",
        { class: "corner" },
        iconButton(sound ? "sound" : "mute", t("sound"), () => change({ sound: !sound }), {
          bare: true,
          "aria-pressed": sound ? "true" : "false",
          "data-name": "sound",
        }),
        iconButton("settings", t("settings"), showSettings, { bare: true, "data-name": "settings" }),
        iconButton("help", t("help"), () => showHelp(this.app), { bare: true, "data-name": "help" }),
      ),
    );
    if (focused) this.#header.querySelector<HTMLElement>(`[data-name="${focused}"]`)?.focus();
  }

  #key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.closest?.("input:not([type=checkbox]), textarea, select")) return; // which have a use for keys themselves
    if (event.key === "?") showHelp(this.app);
    else if (!this.#page?.key?.({ key: event.key.length === 1 ? event.key.toLowerCase() : event.key })) return;
    event.preventDefault();
  }
}

wear();
new Main();
