export function h(tag, props = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(props))
        assign(element, key, value);
    append(element, ...children);
    return element;
}
function assign(element, key, value) {
    if (value === undefined || value === null || value === false)
        return;
    if (key.startsWith("on"))
        element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked")
        element[key] = value;
    else
        element.setAttribute(key, value === true ? "" : String(value));
}
export function append(element, ...children) {
    for (const child of children.flat()) {
        if (child === null || child === undefined || child === false)
            continue;
        element.append(typeof child === "number" ? String(child) : child);
    }
}
export function replace(element, ...children) {
    element.replaceChildren();
    append(element, ...children);
}
const PATHS = {
    undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
    redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
    hint: "M9.5 18h5M10.5 21h3M12 3a6.2 6.2 0 0 0-3.6 11.2c.7.6 1.1 1.3 1.1 2.1h5c0-.8.4-1.5 1.1-2.1A6.2 6.2 0 0 0 12 3Z",
    flag: "M6 21V4M6 4.5c4-2.2 7.5 2 12 0v9c-4.5 2-8-2.2-12 0",
    draw: "M5 9.5h14M5 14.5h14",
    plus: "M12 5v14M5 12h14",
    chart: "M4 19h16M6 15l4-5 3.5 3L19 6",
    settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
    help: "M9.2 9a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.3v.2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
    sound: "M4 10v4h3.5L12 18V6L7.5 10H4ZM15.5 9.5a4 4 0 0 1 0 5M18 7a7.5 7.5 0 0 1 0 10",
    mute: "M4 10v4h3.5L12 18V6L7.5 10H4ZM16 10l4 4M20 10l-4 4",
    first: "M18 6l-6 6 6 6M7 6v12",
    previous: "M15 6l-6 6 6 6",
    next: "M9 6l6 6-6 6",
    last: "M6 6l6 6-6 6M17 6v12",
    trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7M10.5 11v5M13.5 11v5",
    edit: "M5 19l1-4.2L16.3 4.5l3.2 3.2L9.2 18 5 19ZM13.8 7l3.2 3.2",
    up: "M12 19V6M6 11.5 12 5.5l6 6",
    open: "M4 19V6h6l2 2.5h8V19H4ZM12 16v-4.5M9.7 13.5 12 11.2l2.3 2.3",
    share: "M12 14V4M8.5 7.5 12 4l3.5 3.5M6 11v8.5h12V11",
    pause: "M8.5 5.5v13M15.5 5.5v13",
    play: "M8 5.5v13l10.5-6.5L8 5.5Z",
    close: "M6 6l12 12M18 6 6 18",
    link: "M10 14a4 4 0 0 0 6 .3l2.7-2.7a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-6-.3l-2.7 2.7a4 4 0 0 0 5.7 5.7l1.3-1.3",
    camera: "M4 8h3.5L9 5.5h6L16.5 8H20v11H4V8ZM15.3 13.2a3.3 3.3 0 1 1-6.6 0 3.3 3.3 0 0 1 6.6 0Z",
    rotate: "M19.5 12a7.5 7.5 0 1 1-2.6-5.7M17.5 2.5v4.3h-4.3",
    flip: "M12 3.5v17M9 7.5v9L3.5 16.5 9 7.5ZM15 7.5v9l5.5 0L15 7.5Z",
    graph: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
};
export function icon(name) {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawn.setAttribute("viewBox", "0 0 24 24");
    drawn.setAttribute("class", "icon");
    drawn.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", PATHS[name]);
    drawn.append(path);
    return drawn;
}
export function iconButton(name, label, onclick, props = {}) {
    const bare = props["bare"] === true;
    const rest = { ...props };
    delete rest["bare"];
    return h("button", { type: "button", class: bare ? "bare" : "tool", title: label, "aria-label": bare ? label : undefined, onclick, ...rest }, icon(name), bare ? null : h("span", {}, label));
}
export function relabel(button, label, symbol) {
    button.title = label;
    const words = button.querySelector("span");
    if (words)
        words.textContent = label;
    else
        button.setAttribute("aria-label", label);
    if (symbol)
        button.querySelector(".icon")?.replaceWith(icon(symbol));
}
export class Drawn {
    #contents = new Map();
    isNew(part, content) {
        const now = JSON.stringify(content);
        const before = this.#contents.get(part);
        this.#contents.set(part, now);
        return now !== before;
    }
}
export function reveal(frame, inside) {
    const [outer, inner] = [frame.getBoundingClientRect(), inside.getBoundingClientRect()];
    if (inner.top < outer.top)
        frame.scrollTop -= outer.top - inner.top + 8;
    else if (inner.bottom > outer.bottom)
        frame.scrollTop += inner.bottom - outer.bottom + 8;
}
export function download(name, data) {
    const address = URL.createObjectURL(data);
    const anchor = h("a", { href: address, download: name });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
