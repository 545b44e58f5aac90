import { h, replace } from "./dom.js";
import { matchTitle, showMatch, showNets } from "./matches.js";
import { gameTitle } from "./names.js";
import { pill, showRun } from "./runs.js";
import { t } from "./words.js";
const EVERY = 5000;
async function get(address) {
    const answer = await fetch(address).catch(() => null);
    return answer?.ok ? (await answer.json()) : null;
}
export class WatchPage {
    element;
    #list = h("nav", { class: "shelf", "aria-label": t("watch") });
    #detail = h("section", { class: "detail" });
    #address;
    #runs = [];
    #matches = [];
    #shown = "";
    #timer;
    #closed = false;
    constructor(address) {
        this.#address = address;
        this.element = h("main", { class: "view watch" }, h("h1", { class: "unseen" }, t("watch")), this.#list, this.#detail);
        this.#timer = setInterval(this.#look, EVERY);
        document.addEventListener("visibilitychange", this.#look);
        void this.#refresh();
    }
    #look = () => {
        if (document.visibilityState === "visible")
            void this.#refresh();
    };
    close() {
        this.#closed = true;
        document.removeEventListener("visibilitychange", this.#look);
        clearInterval(this.#timer);
    }
    moved(address) {
        this.#address = address;
        void this.#refresh();
    }
    async #refresh() {
        const [runs, matches] = await Promise.all([get("/api/runs"), get("/api/arena")]);
        if (this.#closed || !runs || !matches)
            return;
        [this.#runs, this.#matches] = [runs.all, matches.all];
        this.#drawList();
        await this.#drawDetail();
    }
    get #wanted() {
        const [, kind, ...rest] = this.#address.split("/");
        if (kind)
            return [kind, rest.join("/")];
        if (this.#runs.length)
            return ["run", this.#runs[0].name];
        if (this.#matches.length)
            return ["match", String(this.#matches[0].id)];
        return ["nets", ""];
    }
    #drawList() {
        const [kind, name] = this.#wanted;
        const focused = document.activeElement?.getAttribute("href");
        const { scrollLeft, childElementCount } = this.#list;
        const item = (to, title, detail, extra = null) => h("a", { href: `#watch/${to.filter(Boolean).join("/")}`, "aria-current": to[0] === kind && to[1] === name ? "page" : undefined }, h("span", { class: "who" }, h("b", {}, title), h("small", {}, detail)), extra);
        replace(this.#list, h("h2", {}, t("training")), this.#runs.map((run) => item(["run", run.name], run.name, run.method ?? "", pill(run.state, run.alarms > 0))), this.#runs.length ? null : h("p", { class: "about" }, t("no_runs"), h("code", {}, "tengen train alphazero --preset laptop-8x8 --out runs/first")), h("h2", {}, t("arena")), this.#matches.map((match) => item(["match", String(match.id)], matchTitle(match), `${gameTitle(match.settings.game)} · ${t("n_games", match.games)}`)), this.#matches.length ? null : h("p", { class: "about" }, t("no_matches"), h("code", {}, "tengen arena greedy random --games 20 --db arena.db")), h("h2", {}, t("nets")), item(["nets", ""], t("nets_at_hand"), t("nets_about")));
        if (focused)
            this.#list.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus();
        const current = this.#list.querySelector("[aria-current]");
        this.#list.scrollLeft = childElementCount ? scrollLeft : (current?.offsetLeft ?? 0) - 12;
    }
    async #drawDetail() {
        const [kind, name] = this.#wanted;
        let data = null;
        if (kind === "run")
            data = await get(`/api/runs?name=${encodeURIComponent(name)}`);
        else if (kind === "match")
            data = await get(`/api/arena?match=${encodeURIComponent(name)}`);
        else
            data = await get("/api/nets");
        const shown = JSON.stringify([kind, name, data]);
        if (this.#closed || shown === this.#shown)
            return;
        this.#shown = shown;
        const keep = this.#kept();
        if (!data)
            replace(this.#detail, h("p", { class: "about" }, t("not_found")));
        else if (kind === "run")
            replace(this.#detail, showRun(data));
        else if (kind === "match")
            replace(this.#detail, showMatch(data));
        else
            replace(this.#detail, showNets(data.nets));
        keep();
    }
    #kept() {
        const [gallery, config] = [() => this.#detail.querySelector(".gallery"), () => this.#detail.querySelector("details")];
        const [left, open, name] = [gallery()?.scrollLeft ?? 0, config()?.open ?? false, this.#detail.querySelector("h2")?.textContent];
        return () => {
            if (this.#detail.querySelector("h2")?.textContent !== name)
                return;
            if (gallery())
                gallery().scrollLeft = left;
            if (open)
                config()?.setAttribute("open", "");
        };
    }
}
