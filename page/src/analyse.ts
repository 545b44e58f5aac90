/** The view in which positions are studied. */

import { EMPTY, type Ghost, type Scene } from "./art.js";
import { Board } from "./board.js";
import { Drawn, h, iconButton, replace } from "./dom.js";
import { draftOfView, sceneOfDraft, touched } from "./draft.js";
import { Editor } from "./editor.js";
import { percent } from "./figures.js";
import { Graph } from "./graph.js";
import { heatKinds, marks } from "./heat.js";
import { Lines } from "./lines.js";
import { cellOf, cellsOf } from "./moves.js";
import { gameTitle, kindName, plainName, playerName, reason, sideName } from "./names.js";
import { addressOf } from "./place.js";
import { other, type Side, type View } from "./protocol.js";
import { settings } from "./settings.js";
import { askToPlayOn } from "./setup.js";
import { type App, type Page, say, toast, toggle } from "./shell.js";
import { click } from "./sound.js";
import type { Study } from "./study.js";
import { followedTo } from "./tables.js";
import { aboutRecord, acceptDrops, askForExport, askForImport, copyLink } from "./transfer.js";
import { Tree } from "./tree.js";
import { turnButtons, turnedByKey } from "./turning.js";
import { Variations } from "./variations.js";
import { t, type Word } from "./words.js";

const GAMES = ["gomoku", "gomoku:size=19", "gomoku:rule=standard", "renju", "gomoku:rule=caro", "othello", "othello:size=6"];
const THINKERS = ["alphazero", "alphabeta", "mcts", "dqn", "evolved"]; // what has lines or values to show, the strongest first

export class AnalysePage implements Page {
  readonly element: HTMLElement;
  readonly #board: Board;
  readonly #lines: Lines;
  readonly #graph: Graph;
  readonly #variations: Variations;
  readonly #editor: Editor;
  readonly #bar = h("div", { class: "bar", role: "img" }, h("i", {}), h("b", {}));
  readonly #head = h("div", { class: "engine" });
  readonly #display = h("span", { class: "display" }); // what the marks on the board show
  readonly #state = h("p", { class: "standing" });
  readonly #games = h("select", { class: "quiet", name: "game", "aria-label": t("game"), onchange: () => this.#begin(this.#games.value) });
  readonly #review: HTMLElement;
  readonly #reviewed = h("span", { class: "about" }); // how far a review is
  readonly #reviewing: { start: HTMLButtonElement; stop: HTMLButtonElement };
  readonly #about = h("p", { class: "about record" }); // who played
  readonly #comment = h("p", { class: "comment", role: "note", "aria-label": t("comment"), tabindex: 0 });
  readonly #walk = h("div", { class: "walk" });
  readonly #viewTools: HTMLButtonElement[] = []; // which do something with the position that is shown
  readonly #back: HTMLElement; // to the tree before: it may hold much work, and one click takes its place
  readonly #endings: (() => void)[] = [];
  #preview: string[] = [];
  #previewed: View | null = null; // where that leads, in a game whose moves turn discs
  readonly #drawn = new Drawn();
  #address = "";
  #isClosed = false;

  constructor(
    private readonly app: App,
    private readonly study: Study,
    address: string,
  ) {
    this.#board = new Board({ onplay: (move) => this.#play(move), carried: () => this.#carried(), keepsKeys: true });
    this.#lines = new Lines(this.#display, { onpreview: (moves) => this.#show(moves), onplay: (moves) => study.play(...moves), ongo: () => study.goOn() });
    this.#graph = new Graph((node) => this.study.go(node));
    this.#variations = new Variations((node) => this.study.go(node));
    this.#editor = new Editor(study);
    const text = (word: Word, onclick: () => void, name: string) => h("button", { type: "button", class: "text", "data-name": name, onclick }, t(word));
    this.#reviewing = { start: text("review", () => study.startReview(), "review"), stop: text("stop", () => study.stopReview(), "stop-review") };
    this.#review = h("div", { class: "review" }, this.#reviewed, this.#reviewing.start, this.#reviewing.stop);
    this.#back = h(
      "p",
      { class: "back" },
      h("span", { class: "about" }, t("put_away")),
      text("bring_back", () => study.bringBack(), "bring-back"),
    );
    this.element = h(
      "main",
      { class: "view analyse" },
      h("h1", { class: "unseen" }, t("analyse")),
      h("div", { class: "stage" }, h("div", { class: "gauged" }, this.#bar, this.#board.element as unknown as HTMLElement)),
      h("section", { class: "panel", "aria-label": t("analysis") },
        h("div", { class: "top-row" }, this.#state, this.#games), this.#about, this.#head, this.#lines.element,
        h("div", { class: "course" }, this.#graph.element, this.#review),
        this.#back, this.#comment, this.#variations.element, this.#walk, this.#tools(), this.#editor.element,
      ),
    );
    this.#endings.push(
      study.changed.listen(() => this.#update()),
      study.trouble.listen((trouble) => toast(trouble, "bad")),
      settings.listen(() => this.#drawBoard()), // which may be turned
    );
    acceptDrops(this.element, study);
    this.study.visit(address);
    this.#takeOver();
    this.#update();
  }

  /** A game that comes from Play or from Watch brings its players and its end along. */
  #takeOver(): void {
    const { game, levels } = this.app;
    const followed = followedTo(this.study.address);
    if (followed) {
      this.study.begin({ black: plainName(followed.black), white: plainName(followed.white) }, followed.unplayed || followed.reason ? followed : null);
      return;
    }
    const state = game.state.value;
    if (!state?.moves.length || addressOf(state) !== this.study.address) return;
    const name = (side: Side) => {
      const player = state.players[side];
      if (player === "human") return game.shared ? "" : t("you");
      return player ? playerName(levels, state.game, player).name : "";
    };
    this.study.describe({ black: name("black"), white: name("white") }, state.outcome);
  }

  close(again: boolean): void {
    this.#isClosed = true;
    for (const end of this.#endings) end();
    if (!again) this.study.turn(false);
  }

  moved(address: string): void {
    if (address === this.#address) return;
    this.study.visit(address);
    this.#takeOver();
  }

  key(event: KeyboardEvent): boolean {
    if (this.study.draft) return false;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -999, End: 999 };
    if (event.key in steps) this.study.step(steps[event.key]);
    else if (event.key === "u") this.study.step(-1);
    else if (event.key === "a") this.study.turn(!this.study.on);
    else if (event.key === "Delete") this.study.remove(this.study.tree.current);
    else if (turnedByKey(event.key)) return true;
    else return false;
    return true;
  }

  #play(move: string): void {
    const { view, draft } = this.study;
    if (draft) {
      this.study.edit(touched(draft, move));
      return;
    }
    if (!view || view.outcome) return;
    if (view.forbidden.includes(move)) toast(`${move}: ${t("forbidden")}`, "bad");
    if (!view.legal.includes(move)) return;
    this.study.play(move);
    click();
    say(t("say_move", sideName(view.to_move), move));
  }

  #carried(): Side | null {
    const { view, draft } = this.study;
    if (draft) return settings.value.confirm ? null : "black"; // a slip is put right by another tap
    return view && !view.outcome ? view.to_move : null;
  }

  #show(moves: string[]): void {
    if (moves.join() === this.#preview.join()) return;
    this.#preview = moves;
    this.#previewed = null;
    this.#drawBoard();
    if (!moves.length || this.study.kind !== "othello") return;
    void this.study.after(moves).then((view) => {
      if (this.#preview !== moves) return;
      this.#previewed = view;
      this.#drawBoard();
    });
  }

  #update(): void {
    const { study } = this;
    const address = study.address;
    if (address !== this.#address) {
      this.#address = address;
      this.#preview = [];
      this.#previewed = null;
    }
    this.app.write(address);
    const { game } = study.tree;
    if (this.#drawn.isNew("game", game)) void this.app.levels.of(game).then(() => this.#isClosed || this.#update());
    this.element.classList.toggle("editing", study.draft !== null);
    this.#editor.draw();
    this.#drawHead();
    this.#drawGames();
    this.#drawState();
    this.#drawBar();
    const message = study.view?.outcome ? t("over") : study.on ? t(study.rests === "queued" ? "queued" : "thinking") : t("waiting");
    this.#lines.draw(study.current, study.lines, message, study.rests);
    this.#graph.draw(study.tree);
    this.#variations.draw(study.tree);
    this.#drawReview();
    this.#drawRecord();
    this.#back.hidden = !study.before;
    this.#drawWalk();
    for (const tool of this.#viewTools) tool.disabled = !study.view; // until the server has told what it is
    this.#drawBoard();
  }

  #drawRecord(): void {
    const { tree } = this.study;
    for (const [element, text] of [[this.#about, aboutRecord(tree)], [this.#comment, tree.current.comment]] as const) {
      element.hidden = !text;
      if (element.textContent !== text) element.textContent = text;
    }
  }

  #drawBoard(): void {
    const { view, current, draft } = this.study;
    if (draft) {
      this.#board.draw(sceneOfDraft(draft));
      return;
    }
    if (!view) return;
    const scene = sceneOf(view, settings.value.numbers);
    if (this.#previewed) {
      this.#board.draw(previewOf(this.#previewed, this.#preview.length));
      return;
    }
    if (this.#preview.length) scene.ghosts = view.kind === "othello" ? [] : ghosts(view, this.#preview);
    else if (current && !view.outcome) scene.marks = marks(view, current, this.study.heat);
    this.#board.draw(scene);
  }

  #drawState(): void {
    const { view } = this.study;
    if (!view || !this.#drawn.isNew("state", [view.kind, view.outcome, view.to_move, view.legal[0], view.score])) return;
    const end = view.outcome;
    const text = end
      ? `${end.winner ? t("won", sideName(end.winner)) : t("drawn")} · ${reason(view, end)}`
      : view.legal[0] === "pass"
        ? t("must_pass", sideName(view.to_move))
        : t("to_move", sideName(view.to_move));
    const side = end ? end.winner : view.to_move;
    replace(
      this.#state,
      side ? h("i", { class: `stone ${side}` }) : null,
      h("span", {}, text),
      view.kind === "othello" ? h("span", { class: "tally" }, view.score.join(" : ")) : null,
      view.legal[0] === "pass" ? h("button", { type: "button", class: "plain slim", onclick: () => this.study.play("pass") }, t("pass")) : null,
    );
  }

  /** Who walks through the menu by its keys begins one game after the other: so the menu itself stays. */
  #drawGames(): void {
    const { game } = this.study.tree;
    const games = GAMES.includes(game) ? GAMES : [game, ...GAMES];
    if (this.#drawn.isNew("games", games)) replace(this.#games, games.map((name) => h("option", { value: name }, gameTitle(name))));
    if (this.#games.value !== game) this.#games.value = game;
  }

  #begin(game: string): void {
    this.study.turn(false);
    this.study.load(new Tree(game));
  }

  /** Which engine, how many lines. */
  #drawHead(): void {
    const { study } = this;
    const known = this.app.levels.kinds(study.tree.game) ?? ["alphabeta"];
    const kinds = THINKERS.filter((kind) => known.includes(kind));
    study.know(kinds);
    const heats = heatKinds(study.current, study.engine);
    if (!this.#drawn.isNew("head", [study.on, study.engine, study.lines, kinds, heats, study.heat])) return;
    const focused = (document.activeElement as HTMLElement | null)?.getAttribute("name");
    const menu = (name: string, label: string, options: [string, string][], chosen: string, onchange: (value: string) => void) =>
      h(
        "select",
        { name, "aria-label": label, title: label, onchange: (event: Event) => onchange((event.target as HTMLSelectElement).value) },
        options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)),
      );
    replace(
      this.#head,
      toggle(t("analysis"), study.on, (on) => study.turn(on), "analysis"),
      menu("engine", t("engine"), kinds.map((kind) => [kind, kindName(kind)]), study.engine, (player) => study.use({ player })),
      menu("lines", t("lines"), [1, 2, 3, 5, 8].map((count) => [String(count), t("n_lines", count)]), String(study.lines), (count) => study.use({ lines: Number(count) })),
    );
    replace(
      this.#display,
      menu("heat", t("heat"), heats.map(([kind, word]) => [kind, t(word)]), study.heat, (kind) => study.mark(kind)),
    );
    if (focused) this.element.querySelector<HTMLElement>(`.panel [name="${focused}"]`)?.focus();
  }

  #drawBar(): void {
    const { value } = this.study.tree.current;
    const share = value === null ? 50 : percent(value);
    this.#bar.style.setProperty("--black", `${share}%`);
    this.#bar.classList.toggle("unknown", value === null);
    const label = value === null ? "" : t("black_share", share);
    this.#bar.setAttribute("aria-label", label || t("graph"));
    this.#bar.title = label;
    const number = this.#bar.querySelector("b");
    if (number) number.textContent = value === null ? "" : String(Math.max(share, 100 - share));
    this.#bar.classList.toggle("white-ahead", share < 50);
  }

  /** A review goes on by several positions a second: its buttons stay under the pointer. */
  #drawReview(): void {
    const { study } = this;
    const { review, tree } = study;
    const { start, stop } = this.#reviewing;
    const words = review ? t("reviewing", Math.max(0, review.done), review.total) : t("graph");
    if (this.#reviewed.textContent !== words) this.#reviewed.textContent = words;
    start.disabled = tree.root.children.length === 0;
    const [shown, gone] = review ? [stop, start] : [start, stop];
    const hadKeys = document.activeElement === gone;
    [shown.hidden, gone.hidden] = [false, true];
    if (hadKeys) shown.focus();
  }

  #drawWalk(): void {
    const { study } = this;
    const node = study.tree.current;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["name"];
    const isMain = node.parent === null || study.tree.mainLine().includes(node);
    if (!this.#drawn.isNew("walk", [node.id, study.tree.version, isMain, study.tree.game])) return;
    const button = (name: Parameters<typeof iconButton>[0], label: string, onclick: () => void, disabled: boolean) =>
      iconButton(name, label, onclick, { bare: true, disabled, "data-name": name });
    replace(
      this.#walk,
      button("first", t("first"), () => study.step(-999), !node.parent),
      button("previous", t("previous"), () => study.step(-1), !node.parent),
      button("next", t("next"), () => study.step(1), !node.children.length),
      button("last", t("last"), () => study.step(999), !node.children.length),
      h("span", { class: "gap" }),
      turnButtons(),
      button("link", t("copy_link"), () => void copyLink(), false),
      button("up", t("promote"), () => study.promote(node), isMain),
      button("trash", t("delete_line"), () => study.remove(node), !node.parent),
    );
    if (focused) this.#walk.querySelector<HTMLElement>(`[data-name="${focused}"]`)?.focus();
  }

  #tools(): HTMLElement {
    const { study } = this;
    const share = () => askForExport(study, () => this.#still(), () => this.#film());
    const exporting = iconButton("share", t("export"), share, { "data-name": "export" });
    const editing = iconButton("edit", t("edit"), () => this.#edit(), { "data-name": "edit", title: t("edit_position"), "aria-label": t("edit_position") });
    const playing = iconButton("play", t("play_short"), () => this.#playOn(), { "data-name": "play-on", title: t("play_on"), "aria-label": t("play_on") });
    this.#viewTools.push(exporting, editing, playing);
    return h(
      "div",
      { class: "tools" },
      iconButton("open", t("import"), () => askForImport(this.app, study), { "data-name": "import" }),
      exporting,
      editing,
      iconButton("plus", t("start_over"), () => this.#begin(study.tree.game), { "data-name": "clear" }),
      playing,
    );
  }

  #edit(): void {
    if (this.study.view) this.study.edit(draftOfView(this.study.view));
  }

  #playOn(): void {
    const { view, tree } = this.study;
    if (view?.outcome) toast(t("over"));
    else if (view) askToPlayOn(this.app, tree.position(), view.to_move);
  }

  #still(): Scene {
    const { view } = this.study;
    if (!view) throw new Error(t("connecting"));
    return sceneOf(view, settings.value.numbers);
  }

  async #film(): Promise<Scene[]> {
    const { study } = this;
    const nodes = [study.tree.root, ...study.tree.line()];
    const views = await Promise.all(nodes.map((node) => study.look(study.tree.position(node))));
    return views.map((view) => ({ ...sceneOf(view, settings.value.numbers), forbidden: [], dots: [] }));
  }
}

function sceneOf(view: View, numbered: boolean): Scene {
  const { kind, size } = view;
  const numbers = new Map<number, number>();
  if (numbered) {
    view.moves.forEach((move, i) => {
      const cell = cellOf(kind, size, move);
      if (cell !== null) numbers.set(cell, i + 1);
    });
  }
  return {
    ...EMPTY,
    kind,
    size,
    cells: view.cells,
    last: view.last === null ? null : cellOf(kind, size, view.last),
    line: cellsOf(kind, size, view.outcome?.line ?? []),
    forbidden: cellsOf(kind, size, view.forbidden),
    dots: kind === "othello" ? cellsOf(kind, size, view.legal) : [],
    numbers,
  };
}

/** The board after a line, whose moves are numbered from one. */
function previewOf(view: View, moves: number): Scene {
  const { kind, size } = view;
  const numbers = new Map<number, number>();
  view.moves.slice(-moves).forEach((move, i) => {
    const cell = cellOf(kind, size, move);
    if (cell !== null) numbers.set(cell, i + 1);
  });
  return { ...EMPTY, kind, size, cells: view.cells, numbers };
}

/** A line as stones that are not there yet, numbered from one. */
function ghosts(view: View, moves: string[]): Ghost[] {
  const found: Ghost[] = [];
  let side = view.to_move;
  moves.forEach((move, i) => {
    const cell = cellOf(view.kind, view.size, move);
    if (cell !== null) found.push({ cell, side, number: i + 1 });
    side = other(side);
  });
  return found;
}
