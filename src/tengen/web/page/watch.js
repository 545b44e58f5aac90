import { h, replace } from "./dom.js";
import { matchTitle, showMatch, showNets } from "./matches.js";
import { gameTitle, kindName } from "./names.js";
import { pill, showRun } from "./runs.js";
import { explain } from "./troubles.js";
import { t } from "./words.js";
const EVERY = 5000;
const FRAMES = ".scroll, .gallery, pre";
const FOCUSABLE = "a[href], button, summary, [tabindex]";
async function get(address, signal) {
    const answer = await fetch(address, { signal });
    if (answer.ok)
        return { data: (await answer.json()) };
    const { error } = (await answer.json().catch(() => ({})));
    return { trouble: error ? explain(error) : `${answer.status} ${answer.statusText}` };
}
export class WatchPage {
    element;
    #list = h("nav", { class: "shelf", "aria-label": t("watch") });
    #detail = h("section", { class: "detail" });
    #address;
    #runs = { data: [] };
    #matches = { data: [] };
    #shown = "";
    #timer;
    #asking = null;
    constructor(address) {
        this.#address = address;
        this.element = h("main", { class: "view watch" }, h("h1", { class: "unseen" }, t("watch")), this.#list, this.#detail);
        this.#timer = setInterval(this.#look, EVERY);
        document.addEventListener("visibilitychange", this.#look);
        void this.#refresh();
    }
    #look = () => {
        if (document.visibilityState === "visible" && !this.#asking)
            void this.#refresh();
    };
    close() {
        this.#asking?.abort();
        document.removeEventListener("visibilitychange", this.#look);
        clearInterval(this.#timer);
    }
    moved(address) {
        this.#address = address;
        void this.#refresh();
    }
    async #refresh() {
        this.#asking?.abort();
        const asking = (this.#asking = new AbortController());
        try {
            await this.#ask(asking.signal);
        }
        catch {
        }
        if (this.#asking === asking)
            this.#asking = null;
    }
    async #ask(signal) {
        const list = async (address) => {
            const { data, trouble } = await get(address, signal);
            return data ? { data: data.all } : { trouble: trouble ?? "" };
        };
        [this.#runs, this.#matches] = await Promise.all([list("/api/runs"), list("/api/arena")]);
        this.#drawList();
        const [kind, name] = this.#wanted;
        const address = kind === "run" ? `/api/runs?name=${encodeURIComponent(name)}` : kind === "match" ? `/api/arena?match=${encodeURIComponent(name)}` : "/api/nets";
        this.#drawDetail(kind, name, await get(address, signal));
    }
    get #wanted() {
        const [, kind, ...rest] = this.#address.split("/");
        if (kind)
            return [kind, rest.join("/")];
        const [run, match] = [this.#runs.data?.[0], this.#matches.data?.[0]];
        if (run)
            return ["run", run.name];
        if (match)
            return ["match", String(match.id)];
        return ["nets", ""];
    }
    #drawList() {
        const [kind, name] = this.#wanted;
        const item = (to, title, detail, extra = null) => h("a", { href: `#watch/${to.filter(Boolean).join("/")}`, "aria-current": to[0] === kind && to[1] === name ? "page" : undefined }, h("span", { class: "who" }, h("b", {}, title), h("small", {}, detail)), extra);
        const run = (each) => item(["run", each.name], each.name, each.method ? kindName(each.method) : "", pill(each.state, each.alarms > 0));
        const match = (each) => item(["match", String(each.id)], matchTitle(each), `${gameTitle(each.settings.game)} · ${t("n_games", each.games)}`);
        const shown = h("nav", {}, h("h2", {}, t("training")), part(this.#runs, run, t("no_runs"), "tengen train alphazero --preset laptop-8x8 --out runs/first"), h("h2", {}, t("arena")), part(this.#matches, match, t("no_matches"), "tengen arena greedy random --games 20 --db arena.db"), h("h2", {}, t("nets")), item(["nets", ""], t("nets_at_hand"), t("nets_about")));
        const links = (list) => [...list.children].map((each) => each.getAttribute("href")).join();
        if (links(shown) === links(this.#list))
            [...shown.children].forEach((each, i) => renew(this.#list.children[i], each));
        else
            this.#lay([...shown.children]);
    }
    #lay(items) {
        const focused = document.activeElement?.getAttribute("href");
        const { scrollLeft, childElementCount } = this.#list;
        replace(this.#list, items);
        if (focused)
            this.#list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
        const current = this.#list.querySelector("[aria-current]");
        const isBare = !this.#runs.data?.length && !this.#matches.data?.length;
        this.#list.scrollLeft = childElementCount ? scrollLeft : isBare ? 0 : (current?.offsetLeft ?? 0) - 12;
    }
    #drawDetail(kind, name, told) {
        const shown = JSON.stringify([kind, name, told]);
        if (shown === this.#shown)
            return;
        this.#shown = shown;
        const keep = this.#kept();
        const { data, trouble } = told;
        if (!data)
            replace(this.#detail, h("p", { class: "about" }, this.#isGone(kind, name) ? t("not_found") : trouble));
        else if (kind === "run")
            replace(this.#detail, showRun(data));
        else if (kind === "match")
            replace(this.#detail, showMatch(data));
        else
            replace(this.#detail, showNets(data.nets));
        keep();
    }
    #isGone(kind, name) {
        if (kind === "run")
            return this.#runs.data?.every((each) => each.name !== name) ?? false;
        return kind === "match" && (this.#matches.data?.every((each) => String(each.id) !== name) ?? false);
    }
    #kept() {
        const name = this.#detail.querySelector("h2")?.textContent;
        const isOpen = this.#detail.querySelector("details")?.open ?? false;
        const scrolled = [...named(this.#detail, FRAMES)].map(([key, { scrollLeft, scrollTop }]) => ({ key, scrollLeft, scrollTop }));
        const focused = [...named(this.#detail, FOCUSABLE)].find(([, element]) => element === document.activeElement)?.[0];
        return () => {
            if (this.#detail.querySelector("h2")?.textContent !== name)
                return;
            if (isOpen)
                this.#detail.querySelector("details")?.setAttribute("open", "");
            const frames = named(this.#detail, FRAMES);
            for (const { key, ...place } of scrolled)
                Object.assign(frames.get(key) ?? {}, place);
            if (focused)
                named(this.#detail, FOCUSABLE).get(focused)?.focus({ preventScroll: true });
        };
    }
}
function named(frame, selector) {
    const found = new Map();
    const counts = new Map();
    for (const element of frame.querySelectorAll(selector)) {
        const name = ["href", "data-name", "aria-label"].map((each) => element.getAttribute(each)).find(Boolean) ?? element.tagName;
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        found.set(`${name} ${count}`, element);
    }
    return found;
}
function renew(before, after) {
    if (before.isEqualNode(after))
        return;
    const parts = [...after.children];
    if (before.tagName !== after.tagName || before.childElementCount !== parts.length)
        return before.replaceWith(after);
    for (const name of before.getAttributeNames())
        if (!after.hasAttribute(name))
            before.removeAttribute(name);
    for (const name of after.getAttributeNames())
        before.setAttribute(name, after.getAttribute(name) ?? "");
    if (parts.length)
        parts.forEach((part, i) => renew(before.children[i], part));
    else
        before.textContent = after.textContent;
}
function part({ data, trouble }, item, none, command) {
    if (!data)
        return [h("p", { class: "about trouble" }, trouble)];
    return data.length ? data.map(item) : [h("p", { class: "about" }, none, h("code", {}, command))];
}
