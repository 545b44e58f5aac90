import { h, replace } from "./dom.js";
import { gameName, partsOf } from "./moves.js";
import { gameTitle, kindName, levelName } from "./names.js";
import { keep, kept } from "./settings.js";
import { choices, dialog, dropTrouble, toast } from "./shell.js";
import { isWord, t } from "./words.js";
const KEY = "tengen.wishes";
const USUAL = {
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
function remembered() {
    const wishes = { ...USUAL };
    const found = kept(localStorage, KEY) ?? {};
    for (const [key, usual] of Object.entries(USUAL)) {
        if (typeof found[key] === typeof usual)
            wishes[key] = found[key];
    }
    const level = wishes["level"];
    if (!(Number.isInteger(level) && level >= 1 && level <= 10))
        wishes["level"] = USUAL.level;
    return wishes;
}
function parts(wishes) {
    const size = wishes.kind === "othello" ? wishes.othelloSize : wishes.gomokuSize;
    return { kind: wishes.kind, rule: wishes.rule, size };
}
function playerOf(wish, levels) {
    const number = /^level:(\d+)$/.exec(wish)?.[1];
    if (number)
        return (levels.find((level) => level.number === Number(number)) ?? levels[USUAL.level - 1]).player;
    return wish.replace(/^kind:/, "").trim();
}
function seats(wishes, levels) {
    if (wishes.opponent === "named")
        return [playerOf(wishes.namedFirst, levels), playerOf(wishes.namedSecond, levels)];
    if (wishes.opponent === "person")
        return ["human", "human"];
    const program = playerOf(`level:${wishes.level}`, levels);
    const iAmFirst = wishes.colour === "either" ? Math.random() < 0.5 : wishes.colour === "black";
    return iAmFirst ? ["human", program] : [program, "human"];
}
function termsOf(wishes, levels, from) {
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
export function askForGame(app) {
    ask(app, remembered(), null);
}
export function askToPlayOn(app, from, toMove) {
    void app.levels.of(from.game);
    const { kind } = partsOf(from.game);
    ask(app, { ...remembered(), kind, colour: toMove }, from);
}
function ask(app, wishes, from) {
    const form = h("form", { class: "setup", method: "dialog" });
    const box = dialog(from ? t("play_on") : t("new_game"), form);
    const players = h("div", { class: "players" });
    const game = () => from?.game ?? gameName(parts(wishes));
    const change = (part, name) => {
        Object.assign(wishes, part);
        draw(name);
    };
    const drawPlayers = () => {
        const focus = players.contains(document.activeElement) ? focusedIn(form) : undefined;
        replace(players, playerFields(app, wishes, game(), hasProtocol(wishes, from), change));
        if (focus)
            players.querySelector(`[name="${focus}"]`)?.focus();
    };
    const draw = (focus) => {
        form.style.minHeight = box.scrollTop > 0 ? `${form.offsetHeight}px` : "";
        form.replaceChildren(...fields(wishes, from, players, change));
        drawPlayers();
        const chosen = focus && form.querySelector(`[data-name="${focus}"] input:checked, [name="${focus}"]`);
        if (chosen) {
            chosen.focus();
            const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
            chosen.closest(".field")?.scrollIntoView({ block: "nearest", behavior });
        }
        learn();
    };
    const learn = () => {
        const asked = game();
        const heard = () => app.levels.kinds(asked) && form.isConnected && asked === game() && drawPlayers();
        if (!app.levels.kinds(asked))
            void app.levels.of(asked).then(heard);
    };
    const end = app.connection.status.listen((status) => status === "open" && learn());
    box.addEventListener("close", end);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        void begin(app, wishes, from).then((begun) => begun && box.close());
    });
    draw();
    form.querySelector("[type=submit]")?.focus({ preventScroll: true });
}
async function begin(app, wishes, from) {
    const game = from?.game ?? gameName(parts(wishes));
    const known = await app.levels.of(game);
    if (!known) {
        toast(t("lost_connection"), "bad");
        return false;
    }
    if (!(await app.game.begun(termsOf(wishes, known.levels, from), from?.moves)))
        return false;
    dropTrouble();
    if (!from)
        keep(localStorage, KEY, wishes);
    if (from)
        app.go("play");
    return true;
}
function focusedIn(form) {
    const focused = document.activeElement;
    return focused && form.contains(focused) ? (focused.closest("fieldset")?.dataset["name"] ?? focused.name) : undefined;
}
function hasProtocol(wishes, from) {
    return !from && wishes.kind === "gomoku" && wishes.protocol !== "none";
}
function fields(wishes, from, players, change) {
    const pick = (name, legend, options, numeric = false) => choices(name, legend, options.map(([value, label]) => ({ value, label })), String(wishes[name]), (value) => change({ [name]: numeric ? Number(value) : value }, name));
    const rows = from ? [h("p", { class: "about" }, t("play_on_about", gameTitle(from.game)))] : gameFields(wishes, pick);
    const opponents = pick("opponent", t("opponent"), [["computer", t("computer")], ["person", t("person")], ["named", t("any_player")]]);
    rows.push(h("div", { class: "field" }, opponents, players));
    if (wishes.opponent === "computer")
        rows.push(colours(wishes, change, hasProtocol(wishes, from)));
    rows.push(time(wishes, pick("time", t("time"), [["none", t("time_none")], ["move", t("time_move")], ["clock", t("time_clock")]])));
    rows.push(h("div", { class: "row end lasting" }, h("button", { class: "primary wide", type: "submit" }, t("start"))));
    return rows;
}
function playerFields(app, wishes, game, bySeat, change) {
    if (wishes.opponent === "computer")
        return [levelSlider(app, wishes, game)];
    if (wishes.opponent === "person")
        return [];
    return [
        ...seatField(app, wishes, game, "namedFirst", bySeat ? t("seat_first") : t("Black"), change),
        ...seatField(app, wishes, game, "namedSecond", bySeat ? t("seat_second") : t("White"), change),
    ];
}
function gameFields(wishes, pick) {
    const about = (word) => h("p", { class: "about" }, isWord(word) ? t(word) : "");
    const rows = [pick("kind", t("game"), [["gomoku", t("gomoku")], ["othello", t("othello")]])];
    if (wishes.kind === "gomoku") {
        const rules = ["freestyle", "standard", "renju", "caro"];
        rows.push(h("div", { class: "field" }, pick("rule", t("rule"), rules.map((rule) => [rule, t(rule)])), about(`about_${wishes.rule}`)), pick("gomokuSize", t("size"), GOMOKU_SIZES.map((size) => [String(size), String(size)]), true), h("div", { class: "field" }, pick("protocol", t("opening"), [["none", t("opening_none")], ["swap", t("swap")], ["swap2", t("swap2")]]), wishes.protocol === "none" ? null : about(`about_${wishes.protocol}`)));
    }
    else {
        rows.push(pick("othelloSize", t("size"), OTHELLO_SIZES.map((size) => [String(size), String(size)]), true));
    }
    return rows;
}
function colours(wishes, change, bySeat) {
    const options = bySeat
        ? [{ value: "black", label: t("seat_first") }, { value: "white", label: t("seat_second") }, { value: "either", label: t("either") }]
        : [
            { value: "black", label: t("Black"), stone: "black" },
            { value: "white", label: t("White"), stone: "white" },
            { value: "either", label: t("either"), stone: "both" },
        ];
    return choices("colour", t("colour"), options, wishes.colour, (value) => change({ colour: value }, "colour"));
}
function levelSlider(app, wishes, game) {
    const shown = h("output", { class: "level", title: t("rating_about") });
    const describe = (number) => {
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
        oninput: (event) => {
            wishes.level = Number(event.target.value);
            describe(wishes.level);
        },
    });
    slider.value = String(wishes.level);
    describe(wishes.level);
    return h("div", { class: "slider" }, slider, shown);
}
const BY_NAME = "name";
function sitters(known) {
    const levels = known.levels.map(({ number, rating }) => {
        const rated = typeof rating === "number" ? ` · ${t("rating", rating)}` : "";
        return [`level:${number}`, `${number} · ${levelName(number)}${rated}`];
    });
    const kinds = (known.players ?? []).map((kind) => [`kind:${kind}`, kindName(kind)]);
    return { [t("by_level")]: levels, [t("other_players")]: [...kinds, [BY_NAME, t("by_name")]] };
}
function seatField(app, wishes, game, key, label, change) {
    const known = app.levels.known(game);
    const groups = known ? sitters(known) : {};
    const offered = new Set(["human", ...Object.values(groups).flatMap((group) => group.map(([value]) => value))]);
    if (known && wishes[key].startsWith("kind:") && !offered.has(wishes[key]))
        wishes[key] = USUAL[key];
    const chosen = offered.has(wishes[key]) ? wishes[key] : BY_NAME;
    const choose = (value) => {
        const named = wishes[key] === "human" ? EXAMPLES[0] : playerOf(wishes[key], known?.levels ?? []);
        change({ [key]: value === BY_NAME ? named : value }, key);
    };
    const option = ([value, text]) => h("option", { value, selected: value === chosen }, text);
    const list = h("select", {
        name: key,
        "aria-label": label,
        disabled: !known,
        onchange: (event) => choose(event.target.value),
    }, option(["human", t("you")]), known ? Object.entries(groups).map(([name, group]) => h("optgroup", { label: name }, group.map(option))) : option([BY_NAME, "…"]));
    const rows = [h("label", { class: "named" }, h("span", {}, label), list)];
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
            oninput: (event) => (wishes[key] = event.target.value),
        });
        rows.push(h("div", { class: "named" }, h("span", {}), name, h("datalist", { id: `${key}Names` }, EXAMPLES.map((value) => h("option", { value })))), h("p", { class: "about" }, t("player_help", EXAMPLES.slice(0, 3).join(", "))));
    }
    return rows;
}
function time(wishes, picker) {
    const number = (name, label, least, most, step, before = "") => h("label", { class: "number" }, before, h("input", {
        type: "number",
        name,
        min: least,
        max: most,
        step,
        required: true,
        value: String(wishes[name]),
        oninput: (event) => (wishes[name] = Number(event.target.value)),
    }), h("span", {}, label));
    const field = h("div", { class: "field" }, picker);
    if (wishes.time === "move")
        field.append(number("seconds", t("seconds"), 0.1, 60, 0.1), h("p", { class: "about" }, t("time_move_about")));
    if (wishes.time === "clock") {
        field.append(h("div", { class: "row" }, number("minutes", t("minutes"), 0.5, 180, 0.5), number("increment", t("seconds_a_move"), 0, 60, 1, t("plus"))));
    }
    return field;
}
