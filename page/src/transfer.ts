/** Games in and out: files of every format, pasted text, pictures, links. */

import type { Scene } from "./art.js";
import { download, h, iconButton } from "./dom.js";
import { partsOf } from "./moves.js";
import { gameTitle } from "./names.js";
import { saveGif, savePng, saveSvg } from "./pictures.js";
import type { Imported, Kind, RecordGame, Side } from "./protocol.js";
import { type App, dialog, toast } from "./shell.js";
import type { Study } from "./study.js";
import { Tree } from "./tree.js";
import { explain, type Trouble } from "./troubles.js";
import { t } from "./words.js";

const FORMATS: Record<Kind, [string, string][]> = {
  gomoku: [["sgf", "SGF"], ["psq", "PSQ"], ["moves", "TXT"]],
  othello: [["sgf", "SGF"], ["ggf", "GGF"], ["wthor", "WTHOR"], ["moves", "TXT"]],
};

interface Seen {
  game: string;
  black: string[];
  white: string[];
  to_move: Side | null;
  confidence: number;
}

/** Post to the server; what it says is wrong becomes the error. */
async function post<T>(address: string, body: BodyInit): Promise<T> {
  const answer = await fetch(address, { method: "POST", body }).catch(() => null);
  if (!answer) throw new Error(t("lost_connection"));
  const data = (await answer.json().catch(() => ({}))) as T & { error?: Trouble };
  if (!answer.ok) throw new Error(data.error ? explain(data.error) : `${answer.status} ${answer.statusText}`);
  return data;
}

function complain(trouble: unknown): void {
  toast(trouble instanceof Error ? trouble.message : String(trouble), "bad");
}

/** Whether a file leaves open what the board shown can say: plain moves their game, others the rule of Gomoku. */
function leavesOpen(found: Imported, shown: string): boolean {
  if (found.format === "moves") return true;
  const kinds = [found.games[0].game, shown].map((game) => partsOf(game).kind);
  return ["psq", "sgf"].includes(found.format) && kinds.every((kind) => kind === "gomoku");
}

/** The games of a file. What it says of its game holds; only where it says nothing does the board shown. */
async function readGames(data: Blob, shown: string): Promise<Imported> {
  const asShown = () => post<Imported>(`/api/import?game=${encodeURIComponent(shown)}`, data);
  const saysRule = /\bRU(LE)?\s*\[/.test(await data.text()); // in SGF
  let found: Imported;
  try {
    found = await post<Imported>("/api/import", data);
  } catch (trouble) {
    if (saysRule) throw trouble;
    return asShown().catch(() => Promise.reject(trouble)); // moves that only the rule shown allows
  }
  if (saysRule || !leavesOpen(found, shown)) return found;
  return found.format === "moves" ? asShown() : asShown().catch(() => found);
}

/** Read a game from bytes and show it; of several, let the person choose. `shown` is the game of the board on the page. */
export async function importBytes(study: Study, data: Blob, shown = study.tree.game): Promise<boolean> {
  try {
    if (data.type.startsWith("image/") && data.type !== "image/svg+xml") return await readPicture(study, data);
    const found = await readGames(data, shown);
    if (found.games.length > 1) chooseGame(study, found);
    else study.load(Tree.fromRecord(found.games[0]));
    return true;
  } catch (trouble) {
    complain(trouble);
    return false;
  }
}

async function readPicture(study: Study, data: Blob): Promise<boolean> {
  const seen = await post<Seen>("/api/see", data);
  study.load(new Tree(seen.game, { black: seen.black, white: seen.white, to_move: seen.to_move ?? "black" }));
  toast(t("picture_read", Math.round(100 * seen.confidence)));
  return true;
}

function chooseGame(study: Study, found: Imported): void {
  const box = dialog(
    t("choose_game", found.count),
    h(
      "div",
      { class: "games" },
      found.games.map((record, i) =>
        h("button", { type: "button", class: "plain wide", onclick: () => (box.close(), study.load(Tree.fromRecord(record))) }, titleOf(record, i)),
      ),
    ),
  );
}

function titleOf(record: RecordGame, i: number): string {
  const { black, white, Black, White } = record.headers;
  const names = [black ?? Black, white ?? White].filter(Boolean).join(" – ");
  return `${i + 1}. ${names || gameTitle(record.game)} · ${record.result}`;
}

export function askForImport(app: App, study: Study): void {
  const text = h("textarea", { rows: 5, placeholder: t("paste_here"), "aria-label": t("paste_here"), spellcheck: "false" });
  const file = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", name: "file" });
  const finish = (data: Blob) => void importBytes(study, data).then((read) => read && box.close());
  file.addEventListener("change", () => {
    if (file.files?.[0]) finish(file.files[0]);
  });
  const box = dialog(
    t("import"),
    h(
      "form",
      { class: "setup", onsubmit: (event: Event) => (event.preventDefault(), finish(new Blob([text.value], { type: "text/plain" }))) },
      h("p", { class: "about" }, t("import_help"), app.levels.about?.sees ? ` ${t("picture_help")}` : null),
      text,
      file,
      h(
        "div",
        { class: "row end" },
        h("button", { type: "button", class: "plain", onclick: () => file.click() }, t("open_file")),
        h("button", { type: "submit", class: "primary" }, t("import_go")),
      ),
    ),
  );
}

/** Files that are dropped, and what is pasted, anywhere on an element; returns what ends that. */
export function acceptDrops(element: HTMLElement, study: Study): () => void {
  const over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    element.classList.add("dropping");
  };
  const leave = () => element.classList.remove("dropping");
  const drop = (event: DragEvent) => {
    leave();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void importBytes(study, file);
  };
  const paste = (event: ClipboardEvent) => {
    if ((event.target as HTMLElement).closest?.("input, textarea") || document.querySelector("dialog[open]")) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain");
    if (file) void importBytes(study, file);
    else if (text?.trim()) void importBytes(study, new Blob([text], { type: "text/plain" }));
  };
  element.addEventListener("dragover", over);
  element.addEventListener("dragleave", leave);
  element.addEventListener("drop", drop);
  document.addEventListener("paste", paste);
  return () => document.removeEventListener("paste", paste);
}

/** Files that are dropped where no view takes them: else the browser would leave the page for them. */
export function catchDrops(open: (file: File) => Promise<void>): void {
  document.addEventListener("dragover", (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file || event.defaultPrevented) return;
    event.preventDefault();
    void open(file);
  });
}

async function exportRecord(study: Study, format: string): Promise<void> {
  const { game, setup, headers } = study.tree;
  const body = JSON.stringify({ format, game, setup, headers, nodes: study.tree.nodes() });
  try {
    const { name, data } = await post<{ name: string; data: string }>("/api/export", body);
    download(name, new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
  } catch (trouble) {
    complain(trouble);
  }
}

export async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(location.href);
    toast(t("copied"));
  } catch {
    // No clipboard without a secure address: then the address bar has it too.
    toast(location.href);
  }
}

/** Everything that can be taken away; `scene` draws what is shown, `film` every position of the line. */
export function askForExport(study: Study, scene: () => Scene, film: () => Promise<Scene[]>): void {
  const saved = (work: () => Promise<void> | void, label: string, name: string) =>
    h(
      "button",
      {
        type: "button",
        class: "plain",
        "data-name": name,
        onclick: (event: Event) => void busy(event.currentTarget as HTMLButtonElement, work),
      },
      label,
    );
  const records = FORMATS[study.kind].map(([format, label]) => saved(() => exportRecord(study, format), label, format));
  dialog(
    t("export"),
    h(
      "div",
      { class: "setup" },
      h("div", { class: "field" }, h("h3", {}, t("export_game")), h("div", { class: "row" }, records)),
      h(
        "div",
        { class: "field" },
        h("h3", {}, t("export_picture")),
        h(
          "div",
          { class: "row" },
          saved(() => saveSvg(scene(), "position"), "SVG", "svg"),
          saved(() => savePng(scene(), "position"), "PNG", "png"),
          saved(async () => saveGif(await film(), "game"), t("animation"), "gif"),
        ),
      ),
      h("div", { class: "row" }, iconButton("link", t("copy_link"), () => void copyLink(), { class: "plain with-icon" })),
    ),
  );
}

async function busy(button: HTMLButtonElement, work: () => Promise<void> | void): Promise<void> {
  const label = button.textContent;
  button.disabled = true;
  button.textContent = t("gif_busy");
  try {
    await work();
  } catch (trouble) {
    complain(trouble);
  }
  button.disabled = false;
  button.textContent = label;
}
