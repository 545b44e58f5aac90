import { h, replace, reveal } from "./dom.js";
import { t } from "./words.js";
const DEEPEST = 8;
export class Variations {
    ongo;
    element = h("div", { class: "variations", role: "region", "aria-label": t("variations"), tabindex: 0 });
    #buttons = new Map();
    #drawn = -1;
    #tree = null;
    constructor(ongo) {
        this.ongo = ongo;
    }
    draw(tree) {
        if (tree.version !== this.#drawn || tree !== this.#tree)
            this.#lay(tree);
        this.#drawn = tree.version;
        this.#tree = tree;
        for (const [node, button] of this.#buttons) {
            const here = node === tree.current;
            if ((button.getAttribute("aria-current") === "true") === here)
                continue;
            if (here)
                button.setAttribute("aria-current", "true");
            else
                button.removeAttribute("aria-current");
            if (here)
                reveal(this.element, button);
        }
    }
    #lay(tree) {
        this.#buttons.clear();
        const main = h("div", { class: "main-line" });
        if (tree.root.children.length)
            this.#follow(main, tree.root, 0);
        else
            main.append(h("p", { class: "none" }, t("no_moves")));
        replace(this.element, main);
    }
    #follow(into, from, depth, line = into) {
        const isDeep = depth >= DEEPEST;
        for (let node = from; node?.children.length; node = node.children[0]) {
            const [main, ...others] = node.children;
            line.append(this.#move(main));
            for (const other of others) {
                const branch = h("div", { class: isDeep ? undefined : "branch" }, this.#move(other));
                into.append(branch);
                this.#follow(isDeep ? into : branch, other, depth + 1, branch);
            }
            if (isDeep && others.length)
                into.append((line = h("div")));
        }
    }
    #move(node) {
        const button = h("button", { type: "button", class: "step", title: node.comment || undefined, "data-ply": node.ply, onclick: () => this.ongo(node) }, h("span", { class: "ply" }, node.ply), ` ${node.move}`, node.comment ? h("span", { class: "noted", "aria-label": t("comment") }, "•") : null);
        this.#buttons.set(node, button);
        return button;
    }
}
