/** The dialog that begins a new game. */

import { h, replace } from "./dom.js";
import { gameName, type GameParts, partsOf } from "./moves.js";
import { gameTitle, kindName, levelName } from "./names.js";
import type { AboutGame, Kind, Level, PositionRef, Side, Terms } from "./protocol.js";
import { keep, kept } from "./settings.js";
import { type App, choices, dialog, dropTrouble, toast } from "./shell.js";
import { isWord, t } from "./words.js";

interface Wishes {
  kind: Kind;
  rule: string;
  gomokuSize: number;
  othelloSize: number;
  protocol: string;
  opponent: "computer" | "person" | "named";
  level: number;
  /** Who has a seat, where both are chosen: "human", "level:3", "kind:mcts", or a name of the registry. */
  namedFirst: string;
  namedSecond: string;
  colour: "black" | "white" | "either";
  time: "none" | "move" | "clock";
  seconds: number;
  minutes: number;
  increment: number;
}

const KEY = "tengen.wishes";
const USUAL: Wishes = {
  kind: "gomoku",
  rule: "freestyle",
  gomokuSize: 15,
  othelloSize: 8,
  protocol: "none",
  opponent: "computer",
  level: 3,
  namedFirst: "level:5",
  namedSecond: "level:6",
  colour: "black",
  time: "none",
  seconds: 5,
  minutes: 5,
  increment: 3,
};
const GOMOKU_SIZES = [7, 9, 11, 13, 15, 19, 20];
const OTHELLO_SIZES = [6, 8, 10];
const EXAMPLES = ["alphabeta:time=1", "alphazero:playouts=400", "mcts:playouts=2000", "minimax:depth=2", "dqn", "evolved", "greedy", "random"];

/** Storage may hold anything, or what another version offered: then it is as usual. */
function remembered(): Wishes {
  const wishes: Record<string, unknown> = { ...USUAL };
  const found = kept<Record<string, unknown>>(localStorage, KEY) ?? {};
  for (const [key, usual] of Object.entries(USUAL)) {
    if (typeof found[key] === typeof usual) wishes[key] = found[key];
  }
  const level = wishes["level"] as number;
  if (!(Number.isInteger(level) && level >= 1 && level <= 10)) wishes["level"] = USUAL.level;
  return wishes as unknown as Wishes;
}

function parts(wishes: Wishes): GameParts {
  const size = wishes.kind === "othello" ? wishes.othelloSize : wishes.gomokuSize;
  return { kind: wishes.kind, rule: wishes.rule, size };
}

/** The player whom a seat's wish names. */
function playerOf(wish: string, levels: Level[]): string {
  const number = /^level:(\d+)$/.exec(wish)?.[1];
  if (number) return (levels.find((level) => level.number === Number(number)) ?? levels[USUAL.level - 1]).player;
  return wish.replace(/^kind:/, "").trim();
}

/** Who plays, the first first. */
function seats(wishes: Wishes, levels: Level[]): [string, string] {
  if (wishes.opponent === "named") return [playerOf(wishes.namedFirst, levels), playerOf(wishes.namedSecond, levels)];
  if (wishes.opponent === "person") return ["human", "human"];
  const program = playerOf(`level:${wishes.level}`, levels);
  const iAmFirst = wishes.colour === "either" ? Math.random() < 0.5 : wishes.colour === "black";
  return iAmFirst ? ["human", program] : [program, "human"];
}

/** What the wishes come to. */
function termsOf(wishes: Wishes, levels: Level[], from: PositionRef | null): Terms {
  const [first, second] = seats(wishes, levels);
  return {
    game: from?.game ?? gameName(parts(wishes)),
    first,
    second,
    setup: from?.setup ?? null,
    protocol: !from && wishes.kind === "gomoku" && wishes.protocol !== "none" ? wishes.protocol : null,
    seconds: wishes.time === "move" ? wishes.seconds : null,
    clock: wishes.time === "clock" ? `${Math.round(wishes.minutes * 60)}+${wishes.increment}` : null,
  };
}

export function askForGame(app: App): void {
  ask(app, remembered(), null);
}

/** Go on with a position: the game is settled, and the person has the side that is to move. */
export function askToPlayOn(app: App, from: PositionRef, toMove: Side): void {
  void app.levels.of(from.game);
  const { kind } = partsOf(from.game);
  ask(app, { ...remembered(), kind, colour: toMove }, from);
}

function ask(app: App, wishes: Wishes, from: PositionRef | null): void {
  const form = h("form", { class: "setup", method: "dialog" });
  const box = dialog(from ? t("play_on") : t("new_game"), form);
  const players = h("div", { class: "players" });
  const game = () => from?.game ?? gameName(parts(wishes));
  const change: Change = (part, name) => {
    Object.assign(wishes, part);
    draw(name);
  };

  /** Who plays the game is known when the server has said it: then these are drawn anew, and nothing else under a click. */
  const drawPlayers = () => {
    const focus = players.contains(document.activeElement) ? focusedIn(form) : undefined;
    replace(players, playerFields(app, wishes, game(), hasProtocol(wishes, from), change));
    if (focus) players.querySelector<HTMLElement>(`[name="${focus}"]`)?.focus();
  };
  const draw = (focus?: string) => {
    form.style.minHeight = box.scrollTop > 0 ? `${form.offsetHeight}px` : ""; // with less below, it would be scrolled back
    form.replaceChildren(...fields(wishes, from, players, change));
    drawPlayers();
    const chosen = focus && form.querySelector<HTMLElement>(`[data-name="${focus}"] input:checked, [name="${focus}"]`);
    if (chosen) {
      chosen.focus();
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
      chosen.closest(".field")?.scrollIntoView({ block: "nearest", behavior }); // with what the choice has opened
    }
    learn();
  };
  const learn = () => {
    const asked = game();
    const heard = () => app.levels.kinds(asked) && form.isConnected && asked === game() && drawPlayers();
    if (!app.levels.kinds(asked)) void app.levels.of(asked).then(heard);
  };
  const end = app.connection.status.listen((status) => status === "open" && learn());
  box.addEventListener("close", end);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin(app, wishes, from).then((begun) => begun && box.close());
  });
  draw();
  form.querySelector<HTMLElement>("[type=submit]")?.focus({ preventScroll: true }); // Enter begins
}

async function begin(app: App, wishes: Wishes, from: PositionRef | null): Promise<boolean> {
  const game = from?.game ?? gameName(parts(wishes));
  const known = await app.levels.of(game);
  if (!known) {
    toast(t("lost_connection"), "bad");
    return false;
  }
  if (!(await app.game.begun(termsOf(wishes, known.levels, from), from?.moves))) return false; // a toast says why
  dropTrouble();
  if (!from) keep(localStorage, KEY, wishes);
  if (from) app.go("play");
  return true;
}

function focusedIn(form: HTMLElement): string | undefined {
  const focused = document.activeElement as HTMLInputElement | null;
  return focused && form.contains(focused) ? (focused.closest("fieldset")?.dataset["name"] ?? focused.name) : undefined;
}

type Change = (part: Partial<Wishes>, name: string) => void;

function hasProtocol(wishes: Wishes, from: PositionRef | null): boolean {
  return !from && wishes.kind === "gomoku" && wishes.protocol !== "none";
}

function fields(wishes: Wishes, from: PositionRef | null, players: HTMLElement, change: Change): HTMLElement[] {
  const pick = (name: keyof Wishes & string, legend: string, options: [string, string][], numeric = false) =>
    choices(
      name,
      legend,
      options.map(([value, label]) => ({ value, label })),
      String(wishes[name]),
      (value) => change({ [name]: numeric ? Number(value) : value }, name),
    );
  const rows = from ? [h("p", { class: "about" }, t("play_on_about", gameTitle(from.game)))] : gameFields(wishes, pick);
  const opponents = pick("opponent", t("opponent"), [["computer", t("computer")], ["person", t("person")], ["named", t("any_player")]]);
  rows.push(h("div", { class: "field" }, opponents, players));
  if (wishes.opponent === "computer") rows.push(colours(wishes, change, hasProtocol(wishes, from)));
  rows.push(time(wishes, pick("time", t("time"), [["none", t("time_none")], ["move", t("time_move")], ["clock", t("time_clock")]])));
  rows.push(h("div", { class: "row end lasting" }, h("button", { class: "primary wide", type: "submit" }, t("start"))));
  return rows;
}

/** Who plays, where it is not two people: the computer's level, or who has which seat. */
function playerFields(app: App, wishes: Wishes, game: string, bySeat: boolean, change: Change): HTMLElement[] {
  if (wishes.opponent === "computer") return [levelSlider(app, wishes, game)];
  if (wishes.opponent === "person") return [];
  return [
    ...seatField(app, wishes, game, "namedFirst", bySeat ? t("seat_first") : t("Black"), change),
    ...seatField(app, wishes, game, "namedSecond", bySeat ? t("seat_second") : t("White"), change),
  ];
}

type Pick = (name: keyof Wishes & string, legend: string, options: [string, string][], numeric?: boolean) => HTMLElement;

/** Which game: its rule, its board, how it opens. */
function gameFields(wishes: Wishes, pick: Pick): HTMLElement[] {
  const about = (word: string) => h("p", { class: "about" }, isWord(word) ? t(word) : "");
  const rows: HTMLElement[] = [pick("kind", t("game"), [["gomoku", t("gomoku")], ["othello", t("othello")]])];
  if (wishes.kind === "gomoku") {
    const rules = ["freestyle", "standard", "renju", "caro"] as const;
    rows.push(
      h("div", { class: "field" }, pick("rule", t("rule"), rules.map((rule) => [rule, t(rule)])), about(`about_${wishes.rule}`)),
      pick("gomokuSize", t("size"), GOMOKU_SIZES.map((size) => [String(size), String(size)]), true),
      h(
        "div",
        { class: "field" },
        pick("protocol", t("opening"), [["none", t("opening_none")], ["swap", t("swap")], ["swap2", t("swap2")]]),
        wishes.protocol === "none" ? null : about(`about_${wishes.protocol}`),
      ),
    );
  } else {
    rows.push(pick("othelloSize", t("size"), OTHELLO_SIZES.map((size) => [String(size), String(size)]), true));
  }
  return rows;
}

function colours(wishes: Wishes, change: Change, bySeat: boolean): HTMLElement {
  const options = bySeat
    ? [{ value: "black", label: t("seat_first") }, { value: "white", label: t("seat_second") }, { value: "either", label: t("either") }]
    : [
        { value: "black", label: t("Black"), stone: "black" as const },
        { value: "white", label: t("White"), stone: "white" as const },
        { value: "either", label: t("either"), stone: "both" as const },
      ];
  return choices("colour", t("colour"), options, wishes.colour, (value) =>
    change({ colour: value as Wishes["colour"] }, "colour"),
  );
}

function levelSlider(app: App, wishes: Wishes, game: string): HTMLElement {
  const shown = h("output", { class: "level", title: t("rating_about") });
  const describe = (number: number) => {
    const level = app.levels.known(game)?.levels.find((each) => each.number === number);
    const rating = typeof level?.rating === "number" ? h("small", {}, t("rating", level.rating)) : "";
    shown.replaceChildren(h("b", {}, `${number}`), h("span", {}, levelName(number), rating));
  };
  const slider = h("input", {
    type: "range",
    name: "level",
    min: 1,
    max: 10,
    step: 1,
    "aria-label": t("level"),
    oninput: (event: Event) => {
      wishes.level = Number((event.target as HTMLInputElement).value);
      describe(wishes.level);
    },
  });
  slider.value = String(wishes.level);
  describe(wishes.level);
  return h("div", { class: "slider" }, slider, shown);
}

const BY_NAME = "name";

/** Who may have a seat, as the values and labels of a list. */
function sitters(known: AboutGame): Record<string, [string, string][]> {
  const levels = known.levels.map(({ number, rating }): [string, string] => {
    const rated = typeof rating === "number" ? ` · ${t("rating", rating)}` : "";
    return [`level:${number}`, `${number} · ${levelName(number)}${rated}`];
  });
  const kinds = (known.players ?? []).map((kind): [string, string] => [`kind:${kind}`, kindName(kind)]);
  return { [t("by_level")]: levels, [t("other_players")]: [...kinds, [BY_NAME, t("by_name")]] };
}

/** A list to choose who has a seat from, and where that is none of them, a field for the name. */
function seatField(app: App, wishes: Wishes, game: string, key: "namedFirst" | "namedSecond", label: string, change: Change): HTMLElement[] {
  const known = app.levels.known(game);
  const groups = known ? sitters(known) : {};
  const offered = new Set(["human", ...Object.values(groups).flatMap((group) => group.map(([value]) => value))]);
  // A player who is at home in another game is none here.
  if (known && wishes[key].startsWith("kind:") && !offered.has(wishes[key])) wishes[key] = USUAL[key];
  const chosen = offered.has(wishes[key]) ? wishes[key] : BY_NAME;
  const choose = (value: string) => {
    const named = wishes[key] === "human" ? EXAMPLES[0] : playerOf(wishes[key], known?.levels ?? []);
    change({ [key]: value === BY_NAME ? named : value }, key);
  };
  const option = ([value, text]: [string, string]) => h("option", { value, selected: value === chosen }, text);
  const list = h(
    "select",
    {
      name: key,
      "aria-label": label,
      disabled: !known, // until it is known who there is
      onchange: (event: Event) => choose((event.target as HTMLSelectElement).value),
    },
    option(["human", t("you")]),
    known ? Object.entries(groups).map(([name, group]) => h("optgroup", { label: name }, group.map(option))) : option([BY_NAME, "…"]),
  );
  const rows: HTMLElement[] = [h("label", { class: "named" }, h("span", {}, label), list)];
  if (chosen === BY_NAME && known) {
    const name = h("input", {
      type: "text",
      name: `${key}Text`,
      list: `${key}Names`,
      "aria-label": t("name_of", label),
      spellcheck: "false",
      autocomplete: "off",
      required: true,
      value: wishes[key],
      oninput: (event: Event) => (wishes[key] = (event.target as HTMLInputElement).value),
    });
    rows.push(
      h("div", { class: "named" }, h("span", {}), name, h("datalist", { id: `${key}Names` }, EXAMPLES.map((value) => h("option", { value })))),
      h("p", { class: "about" }, t("player_help", EXAMPLES.slice(0, 3).join(", "))),
    );
  }
  return rows;
}

function time(wishes: Wishes, picker: HTMLElement): HTMLElement {
  const number = (name: "seconds" | "minutes" | "increment", label: string, least: number, most: number, step: number, before = "") =>
    h(
      "label",
      { class: "number" },
      before,
      h("input", {
        type: "number",
        name,
        min: least,
        max: most,
        step,
        required: true,
        value: String(wishes[name]),
        oninput: (event: Event) => (wishes[name] = Number((event.target as HTMLInputElement).value)),
      }),
      h("span", {}, label),
    );
  const field = h("div", { class: "field" }, picker);
  if (wishes.time === "move") field.append(number("seconds", t("seconds"), 0.1, 60, 0.1), h("p", { class: "about" }, t("time_move_about")));
  if (wishes.time === "clock") {
    field.append(h("div", { class: "row" }, number("minutes", t("minutes"), 0.5, 180, 0.5), number("increment", t("seconds_a_move"), 0, 60, 1, t("plus"))));
  }
  return field;
}
