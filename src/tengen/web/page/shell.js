import { append, h, iconButton, relabel } from "./dom.js";
import { settings } from "./settings.js";
import { t } from "./words.js";
const live = h("div", { class: "unseen", "aria-live": "polite", role: "status", id: "said" });
let saying;
const toasts = h("div", { class: "toasts", role: "alert", "aria-live": "assertive" });
export function addVoices() {
    document.body.append(live, toasts);
}
export function say(text) {
    clearTimeout(saying);
    const isAgain = live.textContent === text;
    live.textContent = isAgain ? "" : text;
    if (isAgain)
        saying = setTimeout(() => (live.textContent = text), 50);
}
function moveToasts() {
    const home = [...document.querySelectorAll("dialog[open] > header")].at(-1) ?? document.body;
    if (toasts.parentElement !== home)
        home.append(toasts);
}
export function dropTrouble() {
    for (const trouble of toasts.querySelectorAll(".bad"))
        trouble.remove();
}
export function toast(text, tone = "plain") {
    if (tone === "bad")
        dropTrouble();
    const shown = h("div", { class: `toast ${tone}` }, text);
    toasts.append(shown);
    while (toasts.childElementCount > 3)
        toasts.firstElementChild?.remove();
    setTimeout(() => shown.remove(), tone === "bad" ? 5000 : 2600);
}
export function dialog(title, ...children) {
    const id = `title-${title.length}-${Date.now()}`;
    const box = h("dialog", { "aria-labelledby": id });
    const name = h("h2", { id, tabindex: -1 }, title);
    const closing = iconButton("close", t("close"), () => box.close(), { bare: true });
    append(box, h("header", {}, name, closing), ...children);
    const end = settings.listen(() => relabel(closing, t("close")));
    box.addEventListener("close", () => {
        end();
        moveToasts();
        box.remove();
    });
    closeFromOutside(box);
    document.body.append(box);
    dropTrouble();
    box.showModal();
    moveToasts();
    if (!box.querySelector("[autofocus]"))
        name.focus();
    return box;
}
function closeFromOutside(box) {
    const isOutside = ({ target, clientX, clientY }) => {
        const { left, right, top, bottom } = box.getBoundingClientRect();
        return target === box && (clientX < left || clientX > right || clientY < top || clientY > bottom);
    };
    let beganOutside = false;
    box.addEventListener("pointerdown", (event) => (beganOutside = isOutside(event)));
    box.addEventListener("click", (event) => {
        if (beganOutside && isOutside(event))
            box.close();
    });
}
export function confirmed(question, yes, then) {
    const box = dialog(question, h("div", { class: "row end" }, h("button", { type: "button", class: "plain", onclick: () => box.close() }, t("cancel")), h("button", { type: "button", class: "primary", autofocus: true, onclick: () => (box.close(), then()) }, yes)));
    box.classList.add("small");
}
export function choices(name, legend, options, chosen, onchange) {
    const group = `${name}-${Math.random().toString(36).slice(2, 8)}`;
    return h("fieldset", { class: "choices", "data-name": name }, h("legend", {}, legend), h("div", { class: "segments" }, options.map(({ value, label, stone }) => h("label", {}, h("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => onchange(value) }), h("span", {}, stone ? h("i", { class: `stone ${stone}` }) : null, label)))));
}
export function toggle(label, on, onchange, name) {
    return h("label", { class: "toggle" }, h("span", {}, label), h("input", {
        type: "checkbox",
        role: "switch",
        name,
        checked: on,
        onchange: (event) => onchange(event.target.checked),
    }));
}
