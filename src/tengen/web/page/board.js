import { annotations, defs, EMPTY, geometryOf, ground, palette, stones } from "./art.js";
import { moveOf } from "./moves.js";
import { settings } from "./settings.js";
import { t } from "./words.js";
const SVG = "http://www.w3.org/2000/svg";
export class Board {
    options;
    element = document.createElementNS(SVG, "svg");
    #scene = null;
    #drawn = "";
    #layers;
    #points = [];
    #cursor = -1;
    #pointed = -1;
    #armed = -1;
    #labels = [];
    constructor(options) {
        this.options = options;
        const layer = (hidden = true) => {
            const group = document.createElementNS(SVG, "g");
            if (hidden)
                group.setAttribute("aria-hidden", "true");
            this.element.append(group);
            return group;
        };
        this.element.setAttribute("class", "board");
        this.element.setAttribute("role", "grid");
        this.element.setAttribute("tabindex", "0");
        this.#layers = { under: layer(), stones: layer(), over: layer(), ghost: layer(), cells: layer(false) };
        this.#layers.cells.setAttribute("role", "rowgroup");
        this.element.addEventListener("keydown", (event) => this.#key(event));
        this.element.addEventListener("focus", () => this.#showCursor());
        this.element.addEventListener("blur", () => this.#point(-1));
        this.#listenToPointers();
    }
    #listenToPointers() {
        this.element.addEventListener("pointerleave", () => this.#point(-1));
        this.element.addEventListener("click", (event) => {
            const cell = cellUnder(event.target);
            if (cell !== null)
                this.#play(cell, true);
        });
        this.element.addEventListener("mousedown", (event) => {
            if (!this.options.keepsKeys)
                return;
            event.preventDefault();
            const active = document.activeElement;
            if (active?.matches("input, textarea, select"))
                active.blur();
        });
        this.element.addEventListener("pointermove", (event) => {
            if (event.pointerType !== "touch")
                this.#point(cellUnder(event.target) ?? -1);
        });
    }
    takeKeys() {
        this.element.focus({ focusVisible: true });
        this.#showCursor();
    }
    draw(scene) {
        const look = settings.value;
        const before = this.#scene;
        const ground = `${scene.kind} ${scene.size} ${look.board} ${look.coordinates} ${look.turn} ${look.language}`;
        if (ground !== this.#drawn)
            this.#lay(scene, look);
        const fresh = new Set();
        if (before && ground === this.#drawn && before.cells !== scene.cells) {
            for (let cell = 0; cell < scene.cells.length; cell++) {
                if (scene.cells[cell] !== "." && before.cells[cell] !== scene.cells[cell])
                    fresh.add(cell);
            }
        }
        this.#drawn = ground;
        this.#scene = scene;
        if (before?.cells !== scene.cells || scene.ghosts.length)
            this.#armed = -1;
        this.#layers.stones.innerHTML = stones(scene, look, fresh.size <= 24 ? fresh : new Set());
        this.#layers.over.innerHTML = annotations(scene, look);
        this.#placeCursor(scene);
        this.#drawGhost();
        this.#name(scene);
    }
    #lay({ kind, size }, look) {
        const geometry = geometryOf({ kind, size }, look);
        this.element.setAttribute("viewBox", `0 0 ${geometry.extent} ${geometry.extent}`);
        this.element.setAttribute("aria-label", t("board_label", size, size));
        this.#layers.under.innerHTML = defs(kind, look.board) + ground(kind, size, look);
        this.#points = [];
        const rows = Array.from({ length: size }, (_, row) => {
            const group = document.createElementNS(SVG, "g");
            group.setAttribute("role", "row");
            for (let column = 0; column < size; column++) {
                const cell = geometry.cell(row, column);
                group.append((this.#points[cell] = this.#cell(geometry, cell)));
            }
            return group;
        });
        this.#layers.cells.replaceChildren(...rows);
        this.#labels = [];
        this.#pointed = -1;
        if (this.#cursor >= size * size || !this.#drawn.startsWith(`${kind} ${size} `))
            this.#cursor = -1;
    }
    #cell(geometry, cell) {
        const rect = document.createElementNS(SVG, "rect");
        const half = geometry.unit / 2;
        const attributes = {
            x: geometry.x(cell) - half,
            y: geometry.y(cell) - half,
            width: geometry.unit,
            height: geometry.unit,
            fill: "transparent",
            role: "gridcell",
            id: `point-${cell}`,
            "data-cell": cell,
            "data-move": moveOf(geometry.kind, geometry.size, cell),
        };
        for (const [key, value] of Object.entries(attributes))
            rect.setAttribute(key, String(value));
        return rect;
    }
    #name(scene) {
        const forbidden = new Set(scene.forbidden);
        this.#points.forEach((rect, cell) => {
            const held = scene.cells[cell];
            const what = held === "x" ? t("black") : held === "o" ? t("white") : forbidden.has(cell) ? t("forbidden") : t("empty");
            const label = `${moveOf(scene.kind, scene.size, cell)}, ${what}`;
            if (this.#labels[cell] === label)
                return;
            this.#labels[cell] = label;
            rect.setAttribute("aria-label", label);
        });
    }
    #play(cell, byPointer) {
        const scene = this.#scene;
        if (!scene)
            return;
        if (byPointer && settings.value.confirm && this.#armed !== cell && scene.cells[cell] === "." && this.options.carried()) {
            this.#armed = cell;
            this.#drawGhost();
            return;
        }
        this.#armed = -1;
        this.options.onplay(moveOf(scene.kind, scene.size, cell));
    }
    #key(event) {
        const scene = this.#scene;
        if (!scene || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const steps = {
            ArrowLeft: [0, -1],
            ArrowRight: [0, 1],
            ArrowUp: [-1, 0],
            ArrowDown: [1, 0],
        };
        const step = steps[event.key];
        if (step) {
            this.#move(scene, step);
        }
        else if ((event.key === "Enter" || event.key === " ") && this.#cursor >= 0) {
            this.#play(this.#cursor, false);
        }
        else
            return;
        event.preventDefault();
        event.stopPropagation();
    }
    #move(scene, [down, right]) {
        if (this.#cursor < 0)
            this.#start(scene);
        else {
            const geometry = geometryOf(scene, settings.value);
            const [row, column] = geometry.seen(this.#cursor).map((at, i) => at + (i ? right : down));
            if (row >= 0 && row < scene.size && column >= 0 && column < scene.size)
                this.#cursor = geometry.cell(row, column);
        }
        this.#showCursor();
    }
    #start(scene) {
        const middle = Math.floor(scene.size / 2);
        this.#cursor = scene.last ?? middle * scene.size + middle;
    }
    #showCursor() {
        if (!this.#scene || !this.#hasKeys)
            return;
        this.#pointed = this.#armed = -1;
        this.#placeCursor(this.#scene);
        this.#drawGhost();
    }
    #placeCursor(scene) {
        if (!this.#hasKeys)
            return;
        if (this.#cursor < 0)
            this.#start(scene);
        this.element.setAttribute("aria-activedescendant", `point-${this.#cursor}`);
    }
    get #hasKeys() {
        return this.element.matches(":focus-visible");
    }
    #point(cell) {
        this.#pointed = cell;
        this.#drawGhost();
    }
    #drawGhost() {
        const scene = this.#scene;
        if (!scene)
            return;
        const cursor = this.#hasKeys ? this.#cursor : -1;
        const cell = [this.#pointed, this.#armed, cursor].find((each) => each >= 0) ?? -1;
        this.#layers.ghost.innerHTML = this.#stoneAt(scene, cell) + cursorAt(scene, cursor);
    }
    #stoneAt(scene, cell) {
        const side = this.options.carried();
        const mayPlace = cell >= 0 && scene.cells[cell] === "." && !scene.forbidden.includes(cell) && (scene.kind !== "othello" || scene.dots.length === 0 || scene.dots.includes(cell));
        if (!side || !mayPlace || scene.ghosts.length)
            return "";
        const { kind, size, cells } = scene;
        return annotations({ ...EMPTY, kind, size, cells, ghosts: [{ cell, side, number: null }] }, settings.value);
    }
}
function cursorAt({ kind, size }, cell) {
    if (cell < 0)
        return "";
    const look = settings.value;
    const geometry = geometryOf({ kind, size }, look);
    const { accent } = palette(kind, look.board);
    const [x, y] = [geometry.x(cell) - 18.5, geometry.y(cell) - 18.5];
    return `<rect x="${x}" y="${y}" width="37" height="37" rx="6" fill="none" stroke="${accent}" stroke-width="2.5"/>`;
}
function cellUnder(target) {
    const cell = target instanceof Element ? target.getAttribute("data-cell") : null;
    return cell === null ? null : Number(cell);
}
