import { iconButton } from "./dom.js";
import { change, settings } from "./settings.js";
import { t } from "./words.js";
function rotate() {
    const { turn } = settings.value;
    change({ turn: (turn & 4) | ((turn + 1) & 3) });
}
function flip() {
    const { turn } = settings.value;
    change({ turn: ((turn & 4) ^ 4) | (-turn & 3) });
}
export function turnButtons() {
    return [
        iconButton("rotate", t("rotate"), rotate, { bare: true, "data-name": "rotate" }),
        iconButton("flip", t("flip"), flip, { bare: true, "data-name": "flip" }),
    ];
}
export function turnedByKey(key) {
    if (key === "r")
        rotate();
    else if (key === "f")
        flip();
    else
        return false;
    return true;
}
