import { h, replace } from "./dom.js";
import { moveOf, partsOf } from "./moves.js";
import { sideName } from "./names.js";
import { choices } from "./shell.js";
import { t } from "./words.js";
const MOST_DOUBTS = 12;
export class Editor {
    study;
    element = h("div", { class: "editor" });
    #drawn = null;
    constructor(study) {
        this.study = study;
    }
    draw() {
        const { draft } = this.study;
        if (draft === this.#drawn)
            return;
        const focused = document.activeElement?.value;
        this.#drawn = draft;
        if (!draft) {
            replace(this.element);
            return;
        }
        const count = (letter) => draft.cells.split(letter).length - 1;
        replace(this.element, h("h2", { tabindex: -1 }, t("edit_position")), h("p", { class: "about" }, t("edit_help")), this.#remarks(draft), choices("to_move", t("side_to_move"), ["black", "white"].map((side) => ({ value: side, label: sideName(side), stone: side })), draft.toMove ?? "", (side) => this.study.edit({ ...draft, toMove: side })), h("p", { class: "about" }, t("stone_count", count("x"), count("o"))), this.#buttons(draft));
        if (focused)
            this.element.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
    }
    #remarks(draft) {
        const { kind, size } = partsOf(draft.game);
        const remarks = [...draft.remarks];
        if (draft.doubts.length) {
            const points = draft.doubts.slice(0, MOST_DOUBTS).map((cell) => moveOf(kind, size, cell));
            remarks.push(t("doubtful", points.join(" ") + (draft.doubts.length > MOST_DOUBTS ? " …" : "")));
        }
        if (draft.toMove === null)
            remarks.push(t("who_moves"));
        return remarks.length ? h("ul", { class: "remarks" }, remarks.map((remark) => h("li", {}, remark))) : null;
    }
    #buttons(draft) {
        const { study } = this;
        const clear = () => study.edit({ ...draft, cells: ".".repeat(draft.cells.length), doubts: [], remarks: [] });
        const button = (label, onclick, name, more = {}) => h("button", { type: "button", class: "plain", onclick, "data-name": name, ...more }, label);
        return h("div", { class: "row end" }, button(t("clear"), clear, "clear-board"), button(t("cancel"), () => study.edit(null), "edit-cancel"), button(t("done"), () => study.finishEdit(), "edit-done", { class: "primary", disabled: draft.toMove === null }));
    }
}
