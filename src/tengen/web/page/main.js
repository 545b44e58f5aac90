import { AnalysePage } from "./analyse.js";
import { Connection } from "./connection.js";
import { h, iconButton } from "./dom.js";
import { FIRST_TERMS, Game } from "./game.js";
import { Levels } from "./names.js";
import { PlayPage } from "./play.js";
import { Positions } from "./positions.js";
import { showHelp, showSettings } from "./preferences.js";
import { change, settings, wear } from "./settings.js";
import { addVoices, dropTrouble, toast } from "./shell.js";
import { Study } from "./study.js";
import { catchDrops, importBytes } from "./transfer.js";
import { WatchPage } from "./watch.js";
import { explain } from "./troubles.js";
import { t } from "./words.js";
function askedFor(hash) {
    const address = hash.slice(1);
    try {
        return decodeURIComponent(address);
    }
    catch {
        return address;
    }
}
class Main {
    app;
    #views;
    #page = null;
    #name = "";
    #hash = location.hash;
    #notice = h("div", { class: "notice", role: "status", hidden: true });
    #header = h("header", { class: "top" });
    constructor() {
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        const connection = new Connection(`${scheme}://${location.host}/ws`);
        const levels = new Levels();
        const go = (address) => (location.hash = `#${address}`);
        const positions = new Positions(connection);
        this.app = { connection, levels, positions, game: new Game(connection, FIRST_TERMS), go, write: (address) => this.#write(address) };
        const study = new Study(connection, positions);
        this.#views = {
            play: () => new PlayPage(this.app),
            analyse: (address) => new AnalysePage(this.app, study, address),
            watch: (address) => new WatchPage(address),
        };
        catchDrops((file) => this.#open(study, file));
        document.body.append(this.#header, this.#notice);
        addVoices();
        this.#watchConnection();
        void this.#learn();
        addEventListener("hashchange", (event) => {
            this.#hash = new URL(event.newURL).hash;
            this.#route(askedFor(this.#hash));
        });
        addEventListener("keydown", (event) => this.#key(event));
        const dressOf = () => JSON.stringify({ ...settings.value, sound: true, turn: 0 });
        let dressed = dressOf();
        settings.listen(() => {
            const dress = dressOf();
            if (dress !== dressed)
                this.#rebuild();
            else
                this.#drawHeader();
            dressed = dress;
        });
        this.#route(askedFor(this.#hash));
    }
    async #open(study, file) {
        const box = document.querySelector("dialog[open]");
        const shown = this.#name === "play" ? this.app.game.state.value?.game : undefined;
        const look = () => {
            if (this.#name !== "analyse")
                this.app.go("analyse");
        };
        if (await importBytes(study, file, shown, look))
            box?.close();
    }
    async #learn() {
        const answer = await fetch("/api/about").catch(() => null);
        if (!answer?.ok)
            return;
        this.app.levels.learn((await answer.json()));
        this.app.game.state.set(this.app.game.state.value);
    }
    #watchConnection() {
        this.app.connection.status.listen((status) => {
            if (status === "lost")
                this.#notice.textContent = t("lost_connection");
            else if (!this.#notice.hidden) {
                toast(t("back"));
                if (!this.app.levels.about)
                    void this.#learn();
            }
            this.#notice.hidden = status !== "lost";
        });
        this.app.game.refused.listen((reason) => toast(t("game_refused", reason), "bad"));
        this.app.connection.listen((message) => {
            if (message.type === "error" && !["restore", "look", "analyze"].includes(message.do ?? ""))
                toast(explain(message), "bad");
        });
    }
    #route(address) {
        const wanted = address.split("/")[0];
        const name = Object.hasOwn(this.#views, wanted) ? wanted : "play";
        if (name === this.#name && this.#page)
            return this.#page.moved?.(address);
        for (const box of document.querySelectorAll("dialog[open]"))
            box.close();
        dropTrouble();
        this.#show(name, address);
    }
    #write(address) {
        if (location.hash !== this.#hash || this.#hash === `#${address}`)
            return;
        history.replaceState(null, "", `#${address}`);
        this.#hash = location.hash;
    }
    #show(name, address) {
        this.#page?.close(name === this.#name);
        this.#page?.element.remove();
        this.#name = name;
        this.#page = this.#views[name](address);
        this.#header.after(this.#page.element);
        document.title = `${t(name)} · Tengen`;
        this.#drawHeader();
    }
    #rebuild() {
        this.#show(this.#name, askedFor(this.#hash));
    }
    #drawHeader() {
        const { sound } = settings.value;
        const focused = document.activeElement?.getAttribute("data-name");
        this.#header.replaceChildren(h("a", { class: "brand", href: "#play", "aria-label": "Tengen", "data-name": "brand" }, h("i", { class: "mark" }), h("span", {}, "Tengen")), h("nav", {}, Object.keys(this.#views).map((name) => h("a", { href: `#${name}`, "data-name": name, "aria-current": name === this.#name ? "page" : undefined }, t(name)))), h("div", { class: "corner" }, iconButton(sound ? "sound" : "mute", t("sound"), () => change({ sound: !sound }), {
            bare: true,
            "aria-pressed": sound ? "true" : "false",
            "data-name": "sound",
        }), iconButton("settings", t("settings"), showSettings, { bare: true, "data-name": "settings" }), iconButton("help", t("help"), () => showHelp(this.app), { bare: true, "data-name": "help" })));
        if (focused)
            this.#header.querySelector(`[data-name="${focused}"]`)?.focus();
    }
    #key(event) {
        const target = event.target;
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
            return;
        if (target.closest?.("input:not([type=checkbox]), textarea, select"))
            return;
        if (event.key === "?")
            showHelp(this.app);
        else if (!this.#page?.key?.({ key: event.key.length === 1 ? event.key.toLowerCase() : event.key }))
            return;
        event.preventDefault();
    }
}
wear();
new Main();
