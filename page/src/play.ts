/** The view in which a game is played. */

import { EMPTY, type Scene } from "./art.js";
import { Board } from "./board.js";
import { h, iconButton, replace } from "./dom.js";
import { cellOf, cellsOf } from "./moves.js";
import { clockText, gameTitle, playerName, reason, type Shown, sideName } from "./names.js";
import { addressOf } from "./place.js";
import { type GameState, other, type Side } from "./protocol.js";
import { settings } from "./settings.js";
import { askForGame } from "./setup.js";
import { type App, confirmed, type Page, say, toast } from "./shell.js";
import { click } from "./sound.js";
import { t } from "./words.js";

export class PlayPage implements Page {
  readonly element: HTMLElement;
  readonly #board: Board;
  readonly #seats: Record<Side, HTMLElement>;
  readonly #status = h("div", { class: "status" });
  readonly #moves = h("ol", { class: "moves", "aria-label": t("moves"), tabindex: 0 });
  readonly #tools = h("div", { class: "tools" });
  readonly #title = h("p", { class: "title" });
  readonly #endings: (() => void)[] = [];
  #before: GameState | null = null;

  constructor(private readonly app: App) {
    this.#board = new Board({ onplay: (move) => this.#play(move), carried: () => this.#carried() });
    this.#seats = { black: h("div", { class: "seat" }), white: h("div", { class: "seat" }) };
    this.element = h(
      "main",
      { class: "view play" },
      h("h1", { class: "unseen" }, t("play")),
      h("div", { class: "seats" }, this.#seats.black, this.#seats.white),
      h("div", { class: "stage" }, this.#board.element as unknown as HTMLElement),
      h("section", { class: "panel", "aria-label": t("game") }, this.#status, this.#tools, this.#title, this.#moves),
    );
    const { game } = app;
    this.#endings.push(game.state.listen(() => this.#update()), game.hint.listen(() => this.#update()));
    const ticking = setInterval(() => this.#tick(), 100);
    this.#endings.push(() => clearInterval(ticking));
    this.#before = game.state.value;
    this.#update();
  }

  close(): void {
    for (const end of this.#endings) end();
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "u") this.app.game.undo();
    else if (event.key === "h") this.#hint();
    else if (event.key === "n") askForGame(this.app);
    else if (event.key.startsWith("Arrow") && document.activeElement === document.body) this.#board.takeKeys();
    else return false;
    return true;
  }

  #play(move: string): void {
    const state = this.app.game.state.value;
    if (!state || !this.app.game.myTurn || state.opening?.phase === "choose") return;
    // A taken point is no more than a slip; a forbidden one is worth a word from the server.
    const cell = cellOf(state.kind, state.size, move);
    if (cell !== null && state.cells[cell] !== ".") return;
    if (state.kind === "othello" && !state.legal.includes(move)) return;
    this.app.game.play(move);
  }

  #carried(): Side | null {
    const state = this.app.game.state.value;
    return state && this.app.game.myTurn && state.opening?.phase !== "choose" ? state.to_move : null;
  }

  #hint(): void {
    if (!this.app.game.myTurn || this.app.game.asking) return;
    this.app.game.askHint();
    this.#update();
  }

  #update(): void {
    const { game } = this.app;
    const state = game.state.value;
    if (!state) {
      replace(this.#status, h("p", { class: "now" }, t("connecting")));
      this.#board.draw({ ...EMPTY, kind: "gomoku", size: 15, cells: ".".repeat(225) });
      return;
    }
    this.#board.draw(this.#scene(state));
    this.#drawSeats(state);
    this.#drawStatus(state);
    this.#drawTools(state);
    this.#drawMoves(state);
    replace(this.#title, gameTitle(state.game));
    if (this.#before !== state) this.#tell(this.#before, state);
    this.#before = state;
  }

  #scene(state: GameState): Scene {
    const { kind, size } = state;
    const numbers = new Map<number, number>();
    if (settings.value.numbers) {
      state.moves.forEach((move, i) => {
        const cell = cellOf(kind, size, move);
        if (cell !== null) numbers.set(cell, i + 1);
      });
    }
    const hint = this.app.game.hint.value;
    return {
      ...EMPTY,
      kind,
      size,
      cells: state.cells,
      last: state.last === null ? null : cellOf(kind, size, state.last),
      line: cellsOf(kind, size, state.outcome?.line ?? []),
      forbidden: this.app.game.myTurn ? cellsOf(kind, size, state.forbidden) : [],
      dots: kind === "othello" && this.app.game.myTurn ? cellsOf(kind, size, state.legal) : [],
      numbers,
      hint: hint === null ? null : cellOf(kind, size, hint),
    };
  }

  /** Say and sound what has happened since. */
  #tell(before: GameState | null, state: GameState): void {
    const ply = state.moves.length;
    if (!before || before.game !== state.game || ply <= before.moves.length) {
      if (before && ply < before.moves.length) say(`${t("undo")}. ${this.#now(state)}`);
      return;
    }
    const mover = state.to_move === "black" ? "white" : "black";
    const move = state.last ?? "";
    const who = sideName(state.kind === "othello" || !state.outcome ? mover : (state.outcome.winner ?? mover));
    const said = move === "pass" ? t("passed", who) : t("say_move", who, move);
    if (move === "pass") toast(said);
    else click();
    const end = state.outcome ? `${this.#now(state)}, ${reason(state, state.outcome)}` : this.#now(state);
    say(`${said}. ${end}`);
  }

  #isMine(state: GameState, side: Side): boolean {
    return state.players[side] === "human" && !this.app.game.shared;
  }

  /** The state of things in a few words. */
  #now(state: GameState): string {
    const { outcome, opening } = state;
    if (outcome) {
      if (!outcome.winner) return t("drawn");
      if (this.app.game.shared || !Object.values(state.players).includes("human")) return t("won", sideName(outcome.winner));
      return this.#isMine(state, outcome.winner) ? t("you_won") : t("you_lost");
    }
    if (opening?.phase === "place") {
      return state.thinking ? t("place_stones_they") : this.#toPlace(state, opening.remaining);
    }
    if (state.thinking) return t("thinking");
    if (opening?.phase === "choose") return t("choose_colour");
    if (state.legal.length === 1 && state.legal[0] === "pass") return t("must_pass", sideName(state.to_move));
    return this.app.game.shared ? t("to_move", sideName(state.to_move)) : t("your_turn");
  }

  #toPlace(state: GameState, remaining: number): string {
    const colours = Array.from({ length: remaining }, (_, i) => t(i % 2 ? other(state.to_move) : state.to_move));
    return t("place_stones", remaining, colours.join(t("in_turn")));
  }

  #drawStatus(state: GameState): void {
    const { game } = this.app;
    const end = state.outcome;
    const detail = end ? reason(state, end) : game.hint.value ? t("hint_is", game.hint.value) : game.asking ? t("hint_wait") : "";
    replace(
      this.#status,
      h("p", { class: state.thinking ? "now waiting" : "now" }, this.#now(state)),
      h("p", { class: "detail" }, detail),
      this.#actions(state),
    );
  }

  #actions(state: GameState): HTMLElement | null {
    const { game } = this.app;
    const button = (label: string, onclick: () => void, name: string, tone = "primary") =>
      h("button", { type: "button", class: tone, onclick, "data-name": name }, label);
    if (state.outcome) {
      return h(
        "div",
        { class: "row" },
        button(t("new_game"), () => askForGame(this.app), "new"),
        button(t("analyse_game"), () => this.#analyse(state), "analyse", "plain"),
      );
    }
    if (!game.myTurn) return null;
    if (state.opening?.phase === "choose") {
      const labels: Record<string, string> = { black: t("take_black"), white: t("take_white"), "place two": t("place_two") };
      const buttons = state.opening.choices.map((choice) =>
        button(labels[choice] ?? choice, () => game.choose(choice), `choose ${choice}`, "plain"),
      );
      return h("div", { class: "row" }, buttons);
    }
    if (state.legal.length === 1 && state.legal[0] === "pass") {
      return h("div", { class: "row" }, button(t("pass"), () => game.play("pass"), "pass"));
    }
    return null;
  }

  #analyse(state: GameState): void {
    this.app.go(addressOf(state));
  }

  #drawTools(state: GameState): void {
    const { game } = this.app;
    const going = !state.outcome;
    const settled = !state.opening || state.opening.phase === "done";
    const mine = game.myTurn;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["name"];
    replace(
      this.#tools,
      iconButton("undo", t("undo"), () => game.undo(), { disabled: !state.can_undo, "data-name": "undo" }),
      iconButton("hint", t("hint"), () => this.#hint(), { disabled: !mine || !settled || game.asking, "data-name": "hint" }),
      game.shared &&
        iconButton("draw", t("draw"), () => confirmed(t("draw_sure"), t("draw"), () => game.agreeDraw()), {
          disabled: !going || !settled,
          "data-name": "draw",
        }),
      iconButton("flag", t("resign"), () => confirmed(t("resign_sure"), t("resign"), () => game.resign()), {
        disabled: !going || !settled || !Object.values(state.players).includes("human"),
        "data-name": "resign",
      }),
      going && iconButton("chart", t("analyse_game"), () => this.#analyse(state), { "data-name": "analyse" }),
      going && iconButton("plus", t("new_short"), () => askForGame(this.app), { "data-name": "new", title: t("new_game"), "aria-label": t("new_game") }),
    );
    if (focused) this.#tools.querySelector<HTMLElement>(`[data-name="${focused}"]`)?.focus();
  }

  #drawSeats(state: GameState): void {
    for (const side of ["black", "white"] as const) {
      const player = state.players[side];
      let shown: Shown = { name: "?", detail: sideName(side) };
      if (player === "human") shown = { name: this.app.game.shared ? sideName(side) : t("you"), detail: this.app.game.shared ? t("person") : sideName(side) };
      else if (player) shown = playerName(this.app.levels, state.game, player);
      else if (state.opening) shown = { name: sideName(side), detail: t(state.opening.protocol === "swap2" ? "swap2" : "swap") };
      const seat = this.#seats[side];
      const active = !state.outcome && state.to_move === side;
      seat.className = `seat${active ? " active" : ""}${state.outcome?.winner === side ? " winner" : ""}`;
      replace(
        seat,
        h("i", { class: `stone ${side}` }),
        h("span", { class: "who" }, h("b", {}, shown.name), h("small", { title: shown.about }, shown.detail)),
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

  #drawMoves(state: GameState): void {
    if (!state.moves.length) {
      replace(this.#moves, h("li", { class: "none" }, t("no_moves")));
      return;
    }
    const rows = [];
    for (let i = 0; i < state.moves.length; i += 2) {
      const cells = state.moves.slice(i, i + 2).map((move, j) =>
        h("span", { class: i + j === state.moves.length - 1 ? "move last" : "move" }, move),
      );
      rows.push(h("li", {}, h("span", { class: "ply" }, i + 1), cells));
    }
    replace(this.#moves, rows);
    this.#moves.scrollTop = this.#moves.scrollHeight;
  }
}
