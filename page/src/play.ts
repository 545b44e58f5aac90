/** The view in which a game is played. */

import { EMPTY, type Scene } from "./art.js";
import { Board } from "./board.js";
import { Drawn, h, iconButton, type IconName, relabel, replace } from "./dom.js";
import { Flashback } from "./flashback.js";
import { MoveList } from "./movelist.js";
import { cellOf, cellsOf } from "./moves.js";
import { clockText, gameTitle, playerName, reason, type Shown, sideName } from "./names.js";
import { addressOf } from "./place.js";
import { type GameState, other, type Side, type View } from "./protocol.js";
import { settings } from "./settings.js";
import { askForGame } from "./setup.js";
import { type App, confirmed, type Page, say, toast } from "./shell.js";
import { click } from "./sound.js";
import { turnedByKey } from "./turning.js";
import { t } from "./words.js";

const RESULTS = ["lost_word", "won_word", "drawn_word"] as const;

export class PlayPage implements Page {
  readonly element: HTMLElement;
  readonly #board: Board;
  readonly #seats: Record<Side, HTMLElement>;
  readonly #now = h("p", { class: "now" }, t("connecting"));
  readonly #return: HTMLButtonElement; // from a look back
  readonly #detail = h("p", { class: "detail" });
  readonly #actions = h("div", { class: "row" });
  readonly #flashback: Flashback;
  readonly #moves: MoveList;
  readonly #tools: Map<string, HTMLButtonElement>;
  readonly #drawn = new Drawn();
  readonly #title = h("p", { class: "title" });
  readonly #endings: (() => void)[] = [];
  #before: GameState | null = null;
  #waiting: HTMLButtonElement | null = null; // a tool that had the keys until it was disabled

  constructor(private readonly app: App) {
    this.#board = new Board({ onplay: (move) => this.#play(move), carried: () => this.#carried() });
    this.#flashback = new Flashback(app.game, app.positions);
    this.#moves = new MoveList(this.#flashback);
    this.#tools = this.#makeTools();
    this.#return = h("button", { type: "button", class: "primary", "data-name": "return", onclick: () => this.#flashback.end() }, t("return"));
    this.#seats = { black: h("div", { class: "seat" }), white: h("div", { class: "seat" }) };
    this.element = h(
      "main",
      { class: "view play" },
      h("h1", { class: "unseen" }, t("play")),
      h("div", { class: "seats" }, this.#seats.black, this.#seats.white),
      h("div", { class: "stage" }, this.#board.element as unknown as HTMLElement),
      h("section", { class: "panel", "aria-label": t("game") },
        h("div", { class: "status" },
          h("div", { class: "news" }, this.#now, this.#return),
          h("div", { class: "doing" }, this.#detail, this.#actions),
        ),
        h("div", { class: "tools" }, [...this.#tools.values()]),
        this.#title, this.#moves.walk, this.#moves.element,
      ),
    );
    const { game } = app;
    for (const signal of [game.state, game.hint, app.connection.status]) this.#endings.push(signal.listen(() => this.#update()));
    this.#endings.push(
      this.#flashback.ply.listen(() => this.#showPast()),
      settings.listen(() => this.#drawBoard()), // which may be turned
    );
    const ticking = setInterval(() => this.#tick(), 100);
    this.#endings.push(() => clearInterval(ticking));
    this.#before = game.state.value;
    this.#update();
  }

  close(): void {
    for (const end of this.#endings) end();
  }

  key({ key }: { key: string }): boolean {
    if (turnedByKey(key) || this.#walkedByKey(key)) return true;
    if (key === "u") this.app.game.undo();
    else if (key === "y") this.app.game.redo();
    else if (key === "h") this.#hint();
    else if (key === "n") askForGame(this.app);
    else if (key.startsWith("Arrow") && document.activeElement === document.body) this.#board.takeKeys();
    else return false;
    return true;
  }

  #walkedByKey(key: string): boolean {
    const steps: Record<string, number> = { Home: -Infinity, PageUp: -1, PageDown: 1, End: Infinity };
    const isAmongMoves = this.#moves.element.contains(document.activeElement) || this.#moves.walk.contains(document.activeElement);
    // Arrows are for the board, where there is a move to play.
    if (isAmongMoves || this.#isBack) Object.assign(steps, { ArrowLeft: -1, ArrowRight: 1, Escape: Infinity });
    if (!(key in steps)) return false;
    this.#flashback.step(steps[key]);
    return true;
  }

  #showPast(): void {
    this.#update();
    const state = this.app.game.state.value;
    const { ply, view } = this.#flashback;
    if (state && ply.value === null) say(this.#standing(state));
    else if (state && view && ply.value === view.moves.length) say(`${t("looking_back", view.moves.length, state.moves.length)}, ${view.last ?? ""}`);
  }

  /** Whether an earlier position is shown than the one that is played. */
  get #isBack(): boolean {
    return this.#flashback.ply.value !== null;
  }

  #play(move: string): void {
    const state = this.app.game.state.value;
    if (!state || this.#isBack || !this.app.game.myTurn || state.opening?.phase === "choose") return;
    // A taken point is no more than a slip; a forbidden one is worth a word from the server.
    const cell = cellOf(state.kind, state.size, move);
    if (cell !== null && state.cells[cell] !== ".") return;
    if (state.kind === "othello" && !state.legal.includes(move)) return;
    this.app.game.play(move);
  }

  #carried(): Side | null {
    const state = this.app.game.state.value;
    return state && !this.#isBack && this.app.game.myTurn && state.opening?.phase !== "choose" ? state.to_move : null;
  }

  #hint(): void {
    if (!this.app.game.myTurn || this.app.game.asking) return;
    this.#flashback.end();
    this.app.game.askHint();
    this.#update();
  }

  #update(): void {
    const { game } = this.app;
    const state = game.state.value;
    if (state && this.#before !== state) this.#flashback.keepUp(this.#before, state);
    this.#drawBoard();
    if (!state) return;
    this.#drawSeats(state);
    this.#drawStatus(state);
    this.#drawTools(state);
    this.#moves.draw(state.moves);
    replace(this.#title, gameTitle(state.game));
    if (this.#before !== state) this.#tell(this.#before, state);
    this.#before = state;
  }

  #drawBoard(): void {
    const state = this.app.game.state.value;
    const { view } = this.#flashback;
    if (!state) this.#board.draw({ ...EMPTY, kind: "gomoku", size: 15, cells: ".".repeat(225) });
    else this.#board.draw(this.#isBack && view ? sceneOf(view) : this.#scene(state));
  }

  #scene(state: GameState): Scene {
    const { kind, size } = state;
    const hint = this.app.game.hint.value;
    return {
      ...sceneOf(state),
      line: cellsOf(kind, size, state.outcome?.line ?? []),
      forbidden: this.app.game.myTurn ? cellsOf(kind, size, state.forbidden) : [],
      dots: kind === "othello" && this.app.game.myTurn ? cellsOf(kind, size, state.legal) : [],
      hint: hint === null ? null : cellOf(kind, size, hint),
    };
  }

  /** Say and sound what has happened since. */
  #tell(before: GameState | null, state: GameState): void {
    if (!before) return;
    const happened: string[] = [];
    const added = state.moves.slice(before.moves.length);
    if (goesOn(before, state)) {
      if (added.length) happened.push(this.#moved(state, added));
      if (state.snapshot.choices.length > before.snapshot.choices.length) happened.push(this.#chose(before, state));
    } else if (goesOn(state, before) && (state.moves.length || before.moves.length <= 2)) happened.push(t("undo"));
    const stood = ({ outcome, opening, paused, game }: GameState) => JSON.stringify([outcome, opening?.phase, paused, game]);
    if (!happened.length && stood(before) === stood(state)) return;
    const more = state.outcome || state.opening?.phase === "place" ? this.#explained(state) : "";
    say([...happened, more ? `${this.#standing(state)}, ${more}` : this.#standing(state)].join(". "));
  }

  /** Moves that were played, in words; one knocks. */
  #moved(state: GameState, moves: string[]): string {
    const mover = other(state.to_move);
    const who = sideName(state.kind === "othello" || !state.outcome ? mover : (state.outcome.winner ?? mover));
    const move = moves.at(-1) ?? "";
    if (move !== "pass") click();
    else toast(t("passed", who));
    // Several at once are the stones of an opening, of both colours.
    return move === "pass" ? t("passed", who) : moves.length > 1 ? moves.join(", ") : t("say_move", who, move);
  }

  /** What was chosen in an opening, in words; a person sees what a program chose. */
  #chose(before: GameState, state: GameState): string {
    const words = { black: "takes_black", white: "takes_white", "place two": "takes_two" } as const;
    const seat = before.opening?.seat ?? "second";
    const choice = state.snapshot.choices.at(-1) as keyof typeof words;
    const said = t(words[choice], this.#sitter(state, seat).name);
    if (state.snapshot.terms[seat] !== "human") toast(said);
    return said;
  }

  #isMine(state: GameState, side: Side): boolean {
    return state.players[side] === "human" && !this.app.game.shared;
  }

  /** The state of things in a few words. */
  #standing(state: GameState): string {
    const { outcome, opening } = state;
    if (this.app.game.away) return t("away");
    if (outcome) {
      if (!outcome.winner) return t("drawn");
      if (this.app.game.shared || !Object.values(state.players).includes("human")) return t("won", sideName(outcome.winner));
      return this.#isMine(state, outcome.winner) ? t("you_won") : t("you_lost");
    }
    if (state.paused) return t("paused");
    if (state.thinking) return t("thinking");
    if (opening?.phase === "place") return t(state.moves.length ? "place_more" : "place_stones", opening.remaining);
    if (opening?.phase === "choose") return t(!this.app.game.shared ? "choose_colour" : opening.seat === "first" ? "first_chooses" : "second_chooses");
    if (state.legal.length === 1 && state.legal[0] === "pass") return t("must_pass", sideName(state.to_move));
    return this.app.game.shared || this.app.game.acting !== "human" ? t("to_move", sideName(state.to_move)) : t("your_turn");
  }

  /** What is to be said below that, in one line: why a game ended, what to place, how to begin. */
  #explained(state: GameState): string {
    const { kind, outcome, opening } = state;
    const { game } = this.app;
    if (outcome) return reason(state, outcome);
    if (game.hint.value) return t("hint_is", game.hint.value);
    if (game.asking) return t("hint_wait");
    if (opening?.phase === "place") {
      const colours = Array.from({ length: opening.remaining }, (_, i) => t(i % 2 ? other(state.to_move) : state.to_move));
      return state.thinking ? t("placing") : colours.join(t("in_turn"));
    }
    if (state.moves.length || !game.myTurn) return "";
    const row = /\bwin=(\d+)/.exec(state.game)?.[1] ?? t("five");
    const how = t(matchMedia("(pointer: coarse)").matches ? "tap" : "click");
    return t(`begin_${kind}`, row, how, settings.value.confirm ? t("twice") : "");
  }

  /** Looking back takes as many lines as without: what a person clicks on for it stays where it is. */
  #drawStatus(state: GameState): void {
    const detail = this.#explained(state);
    const ply = this.#flashback.ply.value;
    this.#now.textContent = ply === null ? this.#standing(state) : t("looking_back", ply, state.moves.length);
    this.#now.classList.toggle("waiting", ply === null && state.thinking && !this.app.game.away);
    this.#detail.textContent = ply === null ? detail : detail && (state.moves[ply - 1] ?? "");
    this.#return.hidden = ply === null;
    this.#drawActions(state);
  }

  #drawActions(state: GameState): void {
    const offers = this.#offers(state);
    if (!this.#drawn.isNew("actions", offers.map(([name]) => name))) return;
    replace(
      this.#actions,
      offers.map(([name, label, onclick], i) => {
        const tone = i > 0 || name.startsWith("choose") ? "plain" : "primary";
        return h("button", { type: "button", class: tone, onclick, "data-name": name }, label);
      }),
    );
  }

  /** What there is to do besides playing a stone: the name of each, its words, and what it does in any state. */
  #offers(state: GameState): [string, string, () => void][] {
    const { game } = this.app;
    if (state.outcome) return [["new", t("new_game"), () => askForGame(this.app)]];
    if (!game.myTurn) return [];
    if (state.opening?.phase === "choose") {
      const labels: Record<string, string> = { black: t("take_black"), white: t("take_white"), "place two": t("place_two") };
      return state.opening.choices.map((choice) => [`choose ${choice}`, labels[choice] ?? choice, () => game.choose(choice)]);
    }
    return state.legal.length === 1 && state.legal[0] === "pass" ? [["pass", t("pass"), () => game.play("pass")]] : [];
  }

  #analyse(): void {
    const state = this.app.game.state.value;
    if (state) this.app.go(addressOf(state));
  }

  /** All that there are, in their order. They stay in their places for a whole game: none is taken away under a click. */
  #makeTools(): Map<string, HTMLButtonElement> {
    const { game } = this.app;
    const tool = (name: string, symbol: IconName, label: string, onclick: () => void, title = label): [string, HTMLButtonElement] => [
      name,
      iconButton(symbol, label, onclick, { "data-name": name, title, hidden: true }),
    ];
    const offerDraw = () => confirmed(game.shared ? t("draw_sure") : t("draw_offer"), t("draw"), () => game.proposeDraw());
    const resign = () => {
      const side = game.state.value?.to_move ?? "black";
      confirmed(game.shared ? t("resigns", sideName(side)) : t("resign_sure"), t("resign"), () => game.resign());
    };
    return new Map([
      tool("undo", "undo", t("undo"), () => game.undo()),
      tool("redo", "redo", t("redo"), () => game.redo()),
      tool("pause", "pause", t("pause"), () => game.drive(game.state.value?.paused ? "resume" : "pause")),
      tool("step", "next", t("step_on"), () => game.drive("step")),
      tool("hint", "hint", t("hint"), () => this.#hint()),
      tool("draw", "draw", t("draw"), offerDraw),
      tool("resign", "flag", t("resign"), resign),
      tool("analyse", "chart", t("analyse_game"), () => this.#analyse()),
      tool("new", "plus", t("new_short"), () => askForGame(this.app), t("new_game")),
    ]);
  }

  #drawTools(state: GameState): void {
    const { game } = this.app;
    const { programs, away } = game;
    const going = !state.outcome;
    const settled = !state.opening || state.opening.phase === "done";
    const show = (name: string, isShown: boolean, isEnabled: boolean) => {
      const tool = this.#tools.get(name);
      if (!tool) return;
      if (tool === document.activeElement && !(isShown && isEnabled)) this.#waiting = tool;
      [tool.hidden, tool.disabled] = [!isShown, !isEnabled];
    };
    show("undo", true, state.can_undo && !away);
    show("redo", true, state.can_redo && !away);
    show("pause", programs, going && !away);
    show("step", programs, state.paused && !away);
    show("hint", !programs, game.myTurn && settled && !game.asking);
    show("draw", !programs, state.can_draw && !away);
    show("resign", !programs, going && settled && !away);
    show("analyse", true, true);
    show("new", true, true);
    const pause = this.#tools.get("pause");
    if (pause && this.#drawn.isNew("pause", state.paused)) relabel(pause, state.paused ? t("resume") : t("pause"), state.paused ? "play" : "pause");
    this.#giveKeysBack();
  }

  #giveKeysBack(): void {
    if (!this.#waiting || this.#waiting.disabled || this.#waiting.hidden) return;
    if (document.activeElement === document.body) this.#waiting.focus();
    this.#waiting = null;
  }

  /** Who plays a colour. */
  #holder(state: GameState, side: Side): Shown {
    const player = state.players[side];
    if (player && player !== "human") return playerName(this.app.levels, state.game, player);
    return this.app.game.shared ? { name: sideName(side), detail: t("seated") } : { name: t("you"), detail: sideName(side) };
  }

  /** Who has a seat, while the colours are open. */
  #sitter(state: GameState, seat: "first" | "second"): Shown {
    const player = state.snapshot.terms[seat];
    const place = t(`seat_${seat}`);
    if (player === "human") return this.app.game.shared ? { name: place, detail: t("seated") } : { name: t("you"), detail: place };
    const shown = playerName(this.app.levels, state.game, player);
    return { ...shown, detail: `${place} · ${shown.detail}` };
  }

  #drawSeats(state: GameState): void {
    const isOpen = state.opening !== null && state.opening.phase !== "done";
    for (const side of ["black", "white"] as const) {
      const place = side === "black" ? "first" : "second";
      const shown = isOpen ? this.#sitter(state, place) : this.#holder(state, side);
      const seat = this.#seats[side];
      const active = !state.outcome && (isOpen ? state.opening?.seat === place : state.to_move === side);
      seat.className = `seat${active ? " active" : ""}${state.outcome?.winner === side ? " winner" : ""}`;
      const result = state.outcome && h("span", { class: "result" }, t(RESULTS[state.outcome.winner ? Number(state.outcome.winner === side) : 2]));
      const more = shown.more && h("span", { class: "more" }, ` · ${shown.more}`);
      replace(
        seat,
        h("i", { class: `stone ${isOpen ? "both" : side}` }),
        h("span", { class: "who" }, h("b", {}, shown.name), h("small", { title: shown.about }, result, h("span", { class: "what" }, shown.detail, more))),
        state.kind === "othello" ? h("span", { class: "count" }, state.score[side === "black" ? 0 : 1]) : null,
        state.clocks ? h("span", { class: "clock", "data-side": side, role: "timer", "aria-live": "off" }) : null,
      );
    }
    this.#tick();
  }

  #tick(): void {
    for (const clock of this.element.querySelectorAll<HTMLElement>(".clock")) {
      const left = this.app.game.left(clock.dataset["side"] as Side);
      const shown = left === null ? "" : clockText(left);
      if (clock.textContent !== shown) clock.textContent = shown;
      clock.classList.toggle("short", left !== null && left < 20);
    }
  }
}

/** What stands on the board, and how it came there. */
function sceneOf({ kind, size, cells, moves, last }: View): Scene {
  const numbers = new Map<number, number>();
  if (settings.value.numbers) {
    moves.forEach((move, i) => {
      const cell = cellOf(kind, size, move);
      if (cell !== null) numbers.set(cell, i + 1);
    });
  }
  return { ...EMPTY, kind, size, cells, last: last === null ? null : cellOf(kind, size, last), numbers };
}

/** Whether a state comes of another by moves alone. A new game on the same terms comes of nothing: no moves. */
function goesOn(before: GameState, after: GameState): boolean {
  const same = ({ snapshot: { terms } }: GameState) => JSON.stringify(terms);
  return same(before) === same(after) && before.moves.every((move, i) => after.moves[i] === move);
}
