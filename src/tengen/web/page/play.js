import { EMPTY } from "./art.js";
import { Board } from "./board.js";
import { h, iconButton, replace } from "./dom.js";
import { Flashback } from "./flashback.js";
import { MoveList } from "./movelist.js";
import { cellOf, cellsOf } from "./moves.js";
import { clockText, gameTitle, playerName, reason, sideName } from "./names.js";
import { addressOf } from "./place.js";
import { other } from "./protocol.js";
import { settings } from "./settings.js";
import { askForGame } from "./setup.js";
import { confirmed, say, toast } from "./shell.js";
import { click } from "./sound.js";
import { turnedByKey } from "./turning.js";
import { t } from "./words.js";
export class PlayPage {
    app;
    element;
    #board;
    #seats;
    #status = h("div", { class: "status" });
    #flashback;
    #moves;
    #tools = h("div", { class: "tools" });
    #title = h("p", { class: "title" });
    #endings = [];
    #before = null;
    #focused;
    constructor(app) {
        this.app = app;
        this.#board = new Board({ onplay: (move) => this.#play(move), carried: () => this.#carried() });
        this.#flashback = new Flashback(app.game, app.positions);
        this.#moves = new MoveList(this.#flashback);
        this.#seats = { black: h("div", { class: "seat" }), white: h("div", { class: "seat" }) };
        this.element = h("main", { class: "view play" }, h("h1", { class: "unseen" }, t("play")), h("div", { class: "seats" }, this.#seats.black, this.#seats.white), h("div", { class: "stage" }, this.#board.element), h("section", { class: "panel", "aria-label": t("game") }, this.#status, this.#tools, this.#title, this.#moves.element, this.#moves.walk));
        const { game } = app;
        for (const signal of [game.state, game.hint, app.connection.status])
            this.#endings.push(signal.listen(() => this.#update()));
        this.#endings.push(this.#flashback.ply.listen(() => this.#showPast()), settings.listen(() => this.#drawBoard()));
        const ticking = setInterval(() => this.#tick(), 100);
        this.#endings.push(() => clearInterval(ticking));
        this.#before = game.state.value;
        this.#update();
    }
    close() {
        for (const end of this.#endings)
            end();
    }
    key({ key }) {
        if (turnedByKey(key) || this.#walkedByKey(key))
            return true;
        if (key === "u")
            this.app.game.undo();
        else if (key === "y")
            this.app.game.redo();
        else if (key === "h")
            this.#hint();
        else if (key === "n")
            askForGame(this.app);
        else if (key.startsWith("Arrow") && document.activeElement === document.body)
            this.#board.takeKeys();
        else
            return false;
        return true;
    }
    #walkedByKey(key) {
        const steps = { Home: -Infinity, PageUp: -1, PageDown: 1, End: Infinity };
        const isAmongMoves = this.#moves.element.contains(document.activeElement) || this.#moves.walk.contains(document.activeElement);
        if (isAmongMoves || this.#isBack)
            Object.assign(steps, { ArrowLeft: -1, ArrowRight: 1, Escape: Infinity });
        if (!(key in steps))
            return false;
        this.#flashback.step(steps[key]);
        return true;
    }
    #showPast() {
        this.#update();
        const state = this.app.game.state.value;
        const { ply, view } = this.#flashback;
        if (state && ply.value === null)
            say(this.#now(state));
        else if (state && view && ply.value === view.moves.length)
            say(`${t("looking_back", view.moves.length, state.moves.length)}, ${view.last ?? ""}`);
    }
    get #isBack() {
        return this.#flashback.ply.value !== null;
    }
    #play(move) {
        const state = this.app.game.state.value;
        if (!state || this.#isBack || !this.app.game.myTurn || state.opening?.phase === "choose")
            return;
        const cell = cellOf(state.kind, state.size, move);
        if (cell !== null && state.cells[cell] !== ".")
            return;
        if (state.kind === "othello" && !state.legal.includes(move))
            return;
        this.app.game.play(move);
    }
    #carried() {
        const state = this.app.game.state.value;
        return state && !this.#isBack && this.app.game.myTurn && state.opening?.phase !== "choose" ? state.to_move : null;
    }
    #hint() {
        if (!this.app.game.myTurn || this.app.game.asking)
            return;
        this.#flashback.end();
        this.app.game.askHint();
        this.#update();
    }
    #update() {
        const { game } = this.app;
        const state = game.state.value;
        if (state && this.#before !== state)
            this.#flashback.keepUp(this.#before, state);
        this.#drawBoard();
        if (!state) {
            replace(this.#status, h("p", { class: "now" }, t("connecting")));
            return;
        }
        this.#drawSeats(state);
        this.#drawStatus(state);
        this.#drawTools(state);
        this.#moves.draw(state.moves);
        replace(this.#title, gameTitle(state.game));
        if (this.#before !== state)
            this.#tell(this.#before, state);
        this.#before = state;
    }
    #drawBoard() {
        const state = this.app.game.state.value;
        const { view } = this.#flashback;
        if (!state)
            this.#board.draw({ ...EMPTY, kind: "gomoku", size: 15, cells: ".".repeat(225) });
        else
            this.#board.draw(this.#isBack && view ? sceneOf(view) : this.#scene(state));
    }
    #scene(state) {
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
    #tell(before, state) {
        if (!before)
            return;
        const happened = [];
        const added = state.moves.slice(before.moves.length);
        if (goesOn(before, state)) {
            if (added.length)
                happened.push(this.#moved(state, added));
            if (state.snapshot.choices.length > before.snapshot.choices.length)
                happened.push(this.#chose(before, state));
        }
        else if (goesOn(state, before) && (state.moves.length || before.moves.length <= 2))
            happened.push(t("undo"));
        const stood = ({ outcome, opening, paused, game }) => JSON.stringify([outcome, opening?.phase, paused, game]);
        if (!happened.length && stood(before) === stood(state))
            return;
        const end = state.outcome ? `${this.#now(state)}, ${reason(state, state.outcome)}` : this.#now(state);
        say([...happened, end].join(". "));
    }
    #moved(state, moves) {
        const mover = other(state.to_move);
        const who = sideName(state.kind === "othello" || !state.outcome ? mover : (state.outcome.winner ?? mover));
        const move = moves.at(-1) ?? "";
        if (move !== "pass")
            click();
        else
            toast(t("passed", who));
        return move === "pass" ? t("passed", who) : moves.length > 1 ? moves.join(", ") : t("say_move", who, move);
    }
    #chose(before, state) {
        const words = { black: "takes_black", white: "takes_white", "place two": "takes_two" };
        const seat = before.opening?.seat ?? "second";
        const choice = state.snapshot.choices.at(-1);
        const said = t(words[choice], this.#sitter(state, seat).name);
        if (state.snapshot.terms[seat] !== "human")
            toast(said);
        return said;
    }
    #isMine(state, side) {
        return state.players[side] === "human" && !this.app.game.shared;
    }
    #now(state) {
        const { outcome, opening } = state;
        if (this.app.game.away)
            return t("away");
        if (outcome) {
            if (!outcome.winner)
                return t("drawn");
            if (this.app.game.shared || !Object.values(state.players).includes("human"))
                return t("won", sideName(outcome.winner));
            return this.#isMine(state, outcome.winner) ? t("you_won") : t("you_lost");
        }
        if (opening?.phase === "place") {
            return state.thinking ? t("place_stones_they") : this.#toPlace(state, opening.remaining);
        }
        if (state.paused)
            return t("paused");
        if (state.thinking)
            return t("thinking");
        if (opening?.phase === "choose")
            return t("choose_colour");
        if (state.legal.length === 1 && state.legal[0] === "pass")
            return t("must_pass", sideName(state.to_move));
        return this.app.game.shared || this.app.game.acting !== "human" ? t("to_move", sideName(state.to_move)) : t("your_turn");
    }
    #toPlace(state, remaining) {
        const colours = Array.from({ length: remaining }, (_, i) => t(i % 2 ? other(state.to_move) : state.to_move));
        return t("place_stones", remaining, colours.join(t("in_turn")));
    }
    #drawStatus(state) {
        const { game } = this.app;
        const end = state.outcome;
        const detail = end ? reason(state, end) : game.hint.value ? t("hint_is", game.hint.value) : game.asking ? t("hint_wait") : "";
        const ply = this.#flashback.ply.value;
        if (ply !== null) {
            const back = h("button", { type: "button", class: "primary", "data-name": "return", onclick: () => this.#flashback.end() }, t("return"));
            const past = h("div", { class: "past" }, h("p", { class: "now" }, t("looking_back", ply, state.moves.length)), back);
            replace(this.#status, past, h("p", { class: "detail" }, detail && (state.moves[ply - 1] ?? "")), this.#actions(state));
            return;
        }
        replace(this.#status, h("p", { class: state.thinking && !game.away ? "now waiting" : "now" }, this.#now(state)), h("p", { class: "detail" }, detail), this.#actions(state));
    }
    #actions(state) {
        const { game } = this.app;
        const button = (label, onclick, name, tone = "primary") => h("button", { type: "button", class: tone, onclick, "data-name": name }, label);
        if (state.outcome) {
            return h("div", { class: "row" }, button(t("new_game"), () => askForGame(this.app), "new"), button(t("analyse_game"), () => this.#analyse(state), "analyse", "plain"));
        }
        if (!game.myTurn)
            return null;
        if (state.opening?.phase === "choose") {
            const labels = { black: t("take_black"), white: t("take_white"), "place two": t("place_two") };
            const buttons = state.opening.choices.map((choice) => button(labels[choice] ?? choice, () => game.choose(choice), `choose ${choice}`, "plain"));
            return h("div", { class: "row" }, buttons);
        }
        if (state.legal.length === 1 && state.legal[0] === "pass") {
            return h("div", { class: "row" }, button(t("pass"), () => game.play("pass"), "pass"));
        }
        return null;
    }
    #analyse(state) {
        this.app.go(addressOf(state));
    }
    #drawTools(state) {
        const { game } = this.app;
        const going = !state.outcome;
        const settled = !state.opening || state.opening.phase === "done";
        const mine = game.myTurn;
        const question = game.shared ? t("draw_sure") : t("draw_offer");
        const active = document.activeElement;
        if (active !== document.body)
            this.#focused = active?.dataset["name"];
        replace(this.#tools, iconButton("undo", t("undo"), () => game.undo(), { disabled: !state.can_undo || game.away, "data-name": "undo" }), state.can_redo && iconButton("redo", t("redo"), () => game.redo(), { disabled: game.away, "data-name": "redo" }), game.programs
            ? going && this.#driving(state)
            : [
                iconButton("hint", t("hint"), () => this.#hint(), { disabled: !mine || !settled || game.asking, "data-name": "hint" }),
                iconButton("draw", t("draw"), () => confirmed(question, t("draw"), () => game.proposeDraw()), {
                    disabled: !state.can_draw || game.away,
                    "data-name": "draw",
                }),
                iconButton("flag", t("resign"), () => confirmed(t("resign_sure"), t("resign"), () => game.resign()), {
                    disabled: !going || !settled || game.away,
                    "data-name": "resign",
                }),
            ], going && iconButton("chart", t("analyse_game"), () => this.#analyse(state), { "data-name": "analyse" }), going && iconButton("plus", t("new_short"), () => askForGame(this.app), { "data-name": "new", title: t("new_game") }));
        if (this.#focused)
            this.#tools.querySelector(`[data-name="${this.#focused}"]`)?.focus();
    }
    #driving(state) {
        const { game } = this.app;
        const [symbol, word] = state.paused ? ["play", "resume"] : ["pause", "pause"];
        return [
            iconButton(symbol, t(word), () => game.drive(word), { disabled: game.away, "data-name": "pause" }),
            iconButton("next", t("step_on"), () => game.drive("step"), { disabled: !state.paused || game.away, "data-name": "step" }),
        ];
    }
    #holder(state, side) {
        const player = state.players[side];
        if (player && player !== "human")
            return playerName(this.app.levels, state.game, player);
        return this.app.game.shared ? { name: sideName(side), detail: t("person") } : { name: t("you"), detail: sideName(side) };
    }
    #sitter(state, seat) {
        const player = state.snapshot.terms[seat];
        const place = t(`seat_${seat}`);
        if (player === "human")
            return this.app.game.shared ? { name: place, detail: t("person") } : { name: t("you"), detail: place };
        const shown = playerName(this.app.levels, state.game, player);
        return { ...shown, detail: `${place} · ${shown.detail}` };
    }
    #drawSeats(state) {
        const isOpen = state.opening !== null && state.opening.phase !== "done";
        for (const side of ["black", "white"]) {
            const place = side === "black" ? "first" : "second";
            const shown = isOpen ? this.#sitter(state, place) : this.#holder(state, side);
            const seat = this.#seats[side];
            const active = !state.outcome && (isOpen ? state.opening?.seat === place : state.to_move === side);
            seat.className = `seat${active ? " active" : ""}${state.outcome?.winner === side ? " winner" : ""}`;
            replace(seat, h("i", { class: `stone ${isOpen ? "both" : side}` }), h("span", { class: "who" }, h("b", {}, shown.name), h("small", { title: shown.about }, shown.detail)), state.kind === "othello" ? h("span", { class: "count" }, state.score[side === "black" ? 0 : 1]) : null, state.clocks ? h("span", { class: "clock", "data-side": side, role: "timer", "aria-live": "off" }) : null);
        }
        this.#tick();
    }
    #tick() {
        for (const clock of this.element.querySelectorAll(".clock")) {
            const left = this.app.game.left(clock.dataset["side"]);
            const shown = left === null ? "" : clockText(left);
            if (clock.textContent !== shown)
                clock.textContent = shown;
            clock.classList.toggle("short", left !== null && left < 20);
        }
    }
}
function sceneOf({ kind, size, cells, moves, last }) {
    const numbers = new Map();
    if (settings.value.numbers) {
        moves.forEach((move, i) => {
            const cell = cellOf(kind, size, move);
            if (cell !== null)
                numbers.set(cell, i + 1);
        });
    }
    return { ...EMPTY, kind, size, cells, last: last === null ? null : cellOf(kind, size, last), numbers };
}
function goesOn(before, after) {
    const same = ({ snapshot: { terms } }) => JSON.stringify(terms);
    return same(before) === same(after) && before.moves.every((move, i) => after.moves[i] === move);
}
