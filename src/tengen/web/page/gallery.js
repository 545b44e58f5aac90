import { thumbnail } from "./art.js";
import { h } from "./dom.js";
import { partsOf } from "./moves.js";
import { plainName } from "./names.js";
import { settings } from "./settings.js";
import { lengthOf, linkTo, resultOf } from "./tables.js";
import { t } from "./words.js";
export function gallery(label, games) {
    return h("ul", { class: "gallery", "aria-label": label, tabindex: 0 }, games.map(([name, game]) => h("li", {}, card(name, game))));
}
function card(name, game) {
    const { position, unplayed } = game;
    const about = [`${plainName(game.black)} – ${plainName(game.white)}`, lengthOf(game), unplayed ? t("not_shown", unplayed) : ""];
    const { kind, size } = partsOf(position.game);
    const board = h("span", { class: "thumbnail" });
    board.innerHTML = thumbnail(kind, size, game.cells, position.moves.at(-1) ?? "", settings.value.board);
    return h("a", { ...linkTo(game), title: about.filter(Boolean).join(", ") }, board, h("b", {}, name), h("small", {}, resultOf(game)), h("small", {}, lengthOf(game)));
}
