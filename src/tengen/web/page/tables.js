import { h } from "./dom.js";
import { plainName } from "./names.js";
import { addressOf } from "./place.js";
import { t } from "./words.js";
export function table(label, head, rows) {
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => (cell === null ? h("td", {}) : h("th", { scope: "col" }, cell))))), h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, i) => (i === 0 ? h("th", { scope: "row" }, cell) : h("td", {}, cell))))))));
}
export function resultOf({ winner }) {
    return winner === null ? t("drawn") : t("won", winner === "black" ? t("Black") : t("White"));
}
export function lengthOf({ position, unplayed }) {
    return t("n_moves", position.moves.length + (unplayed ?? 0));
}
let followed = null;
export function linkTo(game) {
    const { position } = game;
    const address = addressOf({ ...position, setup: position.setup ?? null });
    return { href: `#${address}`, onclick: () => (followed = { address, game }) };
}
export function followedTo(address) {
    if (followed?.address !== address)
        return null;
    const { game } = followed;
    followed = null;
    return game;
}
export function gameTable(label, games) {
    const rows = games.map(([name, game]) => [
        h("a", { ...linkTo(game) }, name), plainName(game.black), plainName(game.white), resultOf(game), lengthOf(game),
    ]);
    return table(label, [t("a_game"), t("Black"), t("White"), t("result"), t("moves")], rows);
}
