import { EMPTY } from "./art.js";
import { cellOf, cellsOf, moveOf, partsOf } from "./moves.js";
import { explainRemark } from "./troubles.js";
import { t } from "./words.js";
const NEXT = { ".": "x", x: "o", o: "." };
export function draftOfView(view) {
    return { game: view.game, cells: view.cells, toMove: view.to_move, doubts: [], remarks: [] };
}
export function draftOfPicture(game, seen) {
    const { kind, size } = partsOf(game);
    const cells = Array.from({ length: size * size }, () => ".");
    for (const cell of cellsOf(kind, size, seen.black))
        cells[cell] = "x";
    for (const cell of cellsOf(kind, size, seen.white))
        cells[cell] = "o";
    const remarks = [t("picture_check", Math.floor(100 * seen.confidence)), ...seen.remarks.map(explainRemark)];
    return { game, cells: cells.join(""), toMove: seen.to_move, doubts: cellsOf(kind, size, seen.doubts), remarks };
}
export function setupOfDraft(draft) {
    const { kind, size } = partsOf(draft.game);
    const held = (letter) => [...draft.cells].flatMap((each, cell) => (each === letter ? [moveOf(kind, size, cell)] : []));
    const setup = { black: held("x"), white: held("o"), to_move: draft.toMove ?? "black" };
    const isStart = kind === "gomoku" && setup.to_move === "black" && !setup.black.length && !setup.white.length;
    return isStart ? null : setup;
}
export function sceneOfDraft(draft) {
    const { kind, size } = partsOf(draft.game);
    return { ...EMPTY, kind, size, cells: draft.cells, doubts: [...draft.doubts] };
}
export function touched(draft, move) {
    const { kind, size } = partsOf(draft.game);
    const cell = cellOf(kind, size, move);
    if (cell === null)
        return draft;
    const cells = draft.cells.slice(0, cell) + NEXT[draft.cells[cell]] + draft.cells.slice(cell + 1);
    return { ...draft, cells, doubts: draft.doubts.filter((each) => each !== cell) };
}
