import { download, h, iconButton, replace } from "./dom.js";
import { draftOfPicture, setupOfDraft } from "./draft.js";
import { partsOf } from "./moves.js";
import { gameTitle, sideName } from "./names.js";
import { saveGif, savePng, saveSvg } from "./pictures.js";
import { dialog, dropTrouble, toast } from "./shell.js";
import { Tree } from "./tree.js";
import { explain } from "./troubles.js";
import { isWord, t } from "./words.js";
const FORMATS = {
    gomoku: [["sgf", "SGF"], ["psq", "PSQ"], ["moves", "TXT"]],
    othello: [["sgf", "SGF"], ["ggf", "GGF"], ["wthor", "WTHOR"], ["moves", "TXT"]],
};
async function post(address, body) {
    const answer = await fetch(address, { method: "POST", body }).catch(() => null);
    if (!answer)
        throw new Error(t("lost_connection"));
    const data = (await answer.json().catch(() => ({})));
    if (!answer.ok)
        throw new Error(data.error ? explain(data.error) : `${answer.status} ${answer.statusText}`);
    return data;
}
function complain(trouble) {
    toast(trouble instanceof Error ? trouble.message : String(trouble), "bad");
}
function leavesOpen(found, shown) {
    if (found.format === "moves")
        return true;
    const kinds = [found.games[0].game, shown].map((game) => partsOf(game).kind);
    return ["psq", "sgf"].includes(found.format) && kinds.every((kind) => kind === "gomoku");
}
async function readGames(data, shown) {
    const asShown = () => post(`/api/import?game=${encodeURIComponent(shown)}`, data);
    const text = await data.text();
    const saysRule = /\bRU(LE)?\s*\[/.test(text);
    let found;
    try {
        found = await post("/api/import", data);
    }
    catch (trouble) {
        if (saysRule)
            throw trouble;
        return asShown().catch(() => Promise.reject(trouble));
    }
    if (saysRule || !leavesOpen(found, shown))
        return found;
    if (found.format === "moves")
        return standOn(shown, text) ? asShown() : found;
    return asShown().catch(() => found);
}
function standOn(game, text) {
    const { size } = partsOf(game);
    const points = [...text.toLowerCase().matchAll(/([a-z])(\d+)/g)];
    return points.every(([, column, row]) => column.charCodeAt(0) - 97 < size && Number(row) <= size);
}
export async function importBytes(study, data, shown = study.tree.game, look = () => { }) {
    const take = (record) => {
        study.load(Tree.fromRecord(record));
        look();
    };
    try {
        if (data.type.startsWith("image/") && data.type !== "image/svg+xml") {
            await readPicture(study, data, shown);
            dropTrouble();
            look();
            return true;
        }
        const found = await readGames(data, shown);
        dropTrouble();
        if (found.format === "sgf" && /\bGM\s*\[\s*1\s*\]/.test(await data.text()))
            toast(t("go_record", gameTitle(found.games[0].game)));
        if (found.games.length > 1)
            chooseGame(found, take);
        else
            take(found.games[0]);
        return true;
    }
    catch (trouble) {
        complain(trouble);
        return false;
    }
}
async function readPicture(study, data, shown) {
    const seen = await post("/api/see", data);
    const [found, wanted] = [partsOf(seen.game), partsOf(shown)];
    const game = found.kind === wanted.kind && found.size === wanted.size ? shown : seen.game;
    const draft = draftOfPicture(game, seen);
    if (!seen.sure || (!draft.toMove && !seen.over))
        study.edit(draft);
    else {
        study.load(new Tree(game, setupOfDraft(draft)));
        toast(t("picture_read", Math.floor(100 * seen.confidence)));
    }
}
function chooseGame(found, take) {
    const box = dialog(t(found.more ? "choose_first" : "choose_game", found.count), h("div", { class: "games" }, found.games.map((record, i) => h("button", { type: "button", class: "plain wide", onclick: () => (box.close(), take(record)) }, titleOf(record, i)))));
}
function titleOf(record, i) {
    return `${i + 1}. ${aboutRecord(record) || gameTitle(record.game)}`;
}
export function aboutRecord({ headers, result }) {
    const { black, white, date, event } = headers;
    const names = black || white ? `${black || "?"} – ${white || "?"}` : "";
    return [names, resultText(result), event, date].filter(Boolean).join(" · ");
}
function resultText(result) {
    const [, verdict, score, why] = /^(black|white|draw)(?: (\d+-\d+))?(?: by (\w+))?$/.exec(result) ?? [];
    if (!verdict)
        return "";
    const reason = `reason_${why}`;
    const said = verdict === "draw" ? t("drawn") : t("won", sideName(verdict));
    return [said, score, isWord(reason) ? t(reason) : why].filter(Boolean).join(", ");
}
export function askForImport(app, study) {
    const text = h("textarea", { name: "record", rows: 5, placeholder: t("paste_here"), "aria-label": t("paste_here"), spellcheck: "false" });
    const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", name: "file" });
    const finish = (data) => void importBytes(study, data).then((read) => read && box.close());
    file.addEventListener("change", () => {
        if (file.files?.[0])
            finish(file.files[0]);
    });
    const box = dialog(t("import"), h("form", { class: "setup", onsubmit: (event) => (event.preventDefault(), finish(new Blob([text.value], { type: "text/plain" }))) }, h("p", { class: "about" }, t("import_help"), app.levels.about?.sees ? ` ${t("picture_help")}` : null), text, file, h("div", { class: "row end" }, h("button", { type: "button", class: "plain", onclick: () => file.click() }, t("open_file")), h("button", { type: "submit", class: "primary" }, t("import_go")))));
}
export function acceptDrops(element, study) {
    const over = (event) => {
        if (!event.dataTransfer?.types.includes("Files"))
            return;
        event.preventDefault();
        element.classList.add("dropping");
    };
    const leave = () => element.classList.remove("dropping");
    const drop = (event) => {
        leave();
        const file = event.dataTransfer?.files[0];
        if (!file)
            return;
        event.preventDefault();
        void importBytes(study, file);
    };
    element.addEventListener("dragover", over);
    element.addEventListener("dragleave", leave);
    element.addEventListener("drop", drop);
}
function pasted(event) {
    const [file, text] = [event.clipboardData?.files[0], event.clipboardData?.getData("text/plain")];
    const box = document.querySelector("dialog[open]");
    if (box && !box.querySelector("[name=record]"))
        return null;
    if (file)
        return file;
    const isTyped = event.target.closest?.("input, textarea") !== null;
    return text?.trim() && !isTyped ? new File([text], "pasted.txt", { type: "text/plain" }) : null;
}
export function catchDrops(open) {
    document.addEventListener("dragover", (event) => {
        if (event.dataTransfer?.types.includes("Files"))
            event.preventDefault();
    });
    document.addEventListener("drop", (event) => {
        const file = event.dataTransfer?.files[0];
        if (!file || event.defaultPrevented)
            return;
        event.preventDefault();
        void open(file);
    });
    document.addEventListener("paste", (event) => {
        const file = pasted(event);
        if (!file)
            return;
        event.preventDefault();
        void open(file);
    });
}
function refusal(format, tree, isOver) {
    if (format === "wthor" && ![8, 10].includes(partsOf(tree.game).size))
        return "needs_size";
    if (tree.setup && ["wthor", "psq", "moves"].includes(format))
        return "needs_start";
    return format === "wthor" && !isOver ? "needs_end" : null;
}
async function exportRecord(study, format) {
    const body = JSON.stringify({ format, ...study.tree.record() });
    try {
        const { name, data } = await post("/api/export", body);
        download(name, new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
    }
    catch (trouble) {
        complain(trouble);
    }
}
export async function copyLink() {
    try {
        await navigator.clipboard.writeText(location.href);
        toast(t("copied"));
    }
    catch {
        toast(location.href);
    }
}
export function askForExport(study, scene, film) {
    const saved = (work, label, name) => h("button", {
        type: "button",
        class: "plain",
        "data-name": name,
        onclick: (event) => void busy(event.currentTarget, work),
    }, label);
    const records = FORMATS[study.kind].map(([format, label]) => saved(() => exportRecord(study, format), label, format));
    const refusals = h("p", { class: "about" });
    const draw = (isOver) => {
        const refused = new Map();
        FORMATS[study.kind].forEach(([format, label], i) => {
            const reason = refusal(format, study.tree, isOver);
            records[i].disabled = reason !== null;
            if (reason)
                refused.set(reason, [...(refused.get(reason) ?? []), label]);
        });
        replace(refusals, [...refused].map(([reason, labels]) => `${labels.join(", ")}: ${t(reason)}`).join(" "));
    };
    draw(/\d-\d/.test(study.tree.result));
    const end = study.tree.mainLine().at(-1) ?? study.tree.root;
    void study.look(study.tree.position(end)).then(({ outcome }) => outcome && draw(true), () => { });
    dialog(t("export"), h("div", { class: "setup" }, h("div", { class: "field" }, h("h3", {}, t("export_game")), h("div", { class: "row" }, records), refusals), h("div", { class: "field" }, h("h3", {}, t("export_picture")), h("div", { class: "row" }, saved(() => saveSvg(scene(), "position"), "SVG", "svg"), saved(() => savePng(scene(), "position"), "PNG", "png"), saved(async () => saveGif(await film(), "game"), t("animation"), "gif"))), h("div", { class: "row" }, iconButton("link", t("copy_link"), () => void copyLink(), { class: "plain with-icon" }))));
}
async function busy(button, work) {
    const label = button.textContent;
    button.disabled = true;
    button.textContent = t("gif_busy");
    try {
        await work();
    }
    catch (trouble) {
        complain(trouble);
    }
    button.disabled = false;
    button.textContent = label;
}
