import { partsOf } from "./moves.js";
import { isWord, t } from "./words.js";
export class Levels {
    about;
    #games = new Map();
    constructor(about = null) {
        this.about = about;
    }
    learn(about) {
        this.about = { ...about, games: this.about?.games ?? about.games };
        for (const game of about.games)
            this.#games.set(game.name, game);
    }
    async of(game) {
        if (!this.#games.has(game)) {
            const answer = await fetch(`/api/about?game=${encodeURIComponent(game)}`).catch(() => null);
            if (answer?.ok)
                this.learn((await answer.json()));
        }
        return this.known(game);
    }
    kinds(game) {
        return this.#games.get(game)?.players ?? null;
    }
    known(game) {
        const exact = this.#games.get(game);
        if (exact)
            return exact;
        const { kind } = partsOf(game);
        const similar = [...this.#games.values()].find((each) => each.kind === kind);
        return similar ? { ...similar, levels: similar.levels.map((level) => ({ ...level, rating: null })) } : null;
    }
    level(game, player) {
        return this.known(game)?.levels.find((level) => level.player === player) ?? null;
    }
}
export function levelName(number) {
    const word = `level_${number}`;
    return isWord(word) ? t(word) : String(number);
}
export function kindName(kind) {
    const word = `kind_${kind}`;
    return isWord(word) ? t(word) : kind;
}
export function playerName(levels, game, player) {
    const level = levels.level(game, player);
    if (!level) {
        const [kind, options] = player.split(/:(.*)/);
        return { name: kindName(kind), detail: options || t("computer"), about: player };
    }
    const unbroken = (text) => text.replaceAll(" ", "\u00a0");
    const shown = { name: levelName(level.number), detail: unbroken(t("level_n", level.number)) };
    if (typeof level.rating !== "number")
        return shown;
    return { ...shown, more: unbroken(t("rating", level.rating)), about: t("rating_about") };
}
export function plainName(player) {
    const [kind, options] = player.split(/:(.*)/);
    return options ? `${kindName(kind)} ${options.replaceAll(",", ", ")}` : kindName(kind);
}
export function sideName(side) {
    return side === "black" ? t("Black") : t("White");
}
export function gameTitle(game) {
    const { kind, rule, size } = partsOf(game);
    const dimension = `${size}×${size}`;
    if (kind === "othello")
        return `${t("othello")} ${dimension}`;
    const win = /\bwin=(\d+)/.exec(game)?.[1] ?? "5";
    return [`${t(isWord(rule) ? rule : "gomoku")} ${dimension}`, win === "5" ? "" : t("in_a_row", win)].filter(Boolean).join(", ");
}
export function reason(view, outcome) {
    if (outcome.reason === "line" && outcome.line.length !== 5)
        return t("reason_row", outcome.line.length);
    if (view.kind === "othello" && ["no_moves", "board_full"].includes(outcome.reason)) {
        return t("reason_count", Math.max(...view.score), Math.min(...view.score));
    }
    const word = `reason_${outcome.reason}`;
    return isWord(word) ? t(word) : outcome.reason;
}
export function clockText(seconds) {
    if (seconds < 10)
        return seconds.toFixed(1);
    const whole = Math.ceil(seconds);
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
