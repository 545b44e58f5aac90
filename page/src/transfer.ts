/** Games in and out: files of every format, pasted text, pictures, links. */

import type { Scene } from "./art.js";
import { download, h, iconButton, replace } from "./dom.js";
import { draftOfPicture, type Seen, setupOfDraft } from "./draft.js";
import { partsOf } from "./moves.js";
import { gameTitle, sideName } from "./names.js";
import { saveGif, savePng, saveSvg } from "./pictures.js";
import type { Imported, Kind, RecordGame, Side } from "./protocol.js";
import { type App, dialog, dropTrouble, toast } from "./shell.js";
import type { Study } from "./study.js";
import { Tree } from "./tree.js";
import { explain, type Trouble } from "./troubles.js";
import { isWord, t, type Word } from "./words.js";

const FORMATS: Record<Kind, [string, string][]> = {
  gomoku: [["sgf", "SGF"], ["psq", "PSQ"], ["moves", "TXT"]],
  othello: [["sgf", "SGF"], ["ggf", "GGF"], ["wthor", "WTHOR"], ["moves", "TXT"]],
};

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
  const text = await data.text();
  const saysRule = /\bRU(LE)?\s*\[/.test(text); // in SGF
  let found: Imported;
  try {
    found = await post<Imported>("/api/import", data);
  } catch (trouble) {
    if (saysRule) throw trouble;
    return asShown().catch(() => Promise.reject(trouble)); // moves that only the rule shown allows
  }
  if (saysRule || !leavesOpen(found, shown)) return found;
  if (found.format === "moves") return standOn(shown, text) ? asShown() : found;
  return asShown().catch(() => found);
}

/** Whether all points that a text names are on the board of a game. */
function standOn(game: string, text: string): boolean {
  const { size } = partsOf(game);
  const points = [...text.toLowerCase().matchAll(/([a-z])(\d+)/g)];
  return points.every(([, column, row]) => column.charCodeAt(0) - 97 < size && Number(row) <= size);
}

/**
 * Read a game from bytes and study it; of several, let the person choose. `shown` is the game of the board on the page;
 * `look` is called when there is something to look at.
 */
export async function importBytes(study: Study, data: Blob, shown = study.tree.game, look = () => {}): Promise<boolean> {
  const take = (record: RecordGame) => {
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
    if (found.format === "sgf" && /\bGM\s*\[\s*1\s*\]/.test(await data.text())) toast(t("go_record", gameTitle(found.games[0].game)));
    if (found.games.length > 1) chooseGame(found, take);
    else take(found.games[0]);
    return true;
  } catch (trouble) {
    complain(trouble);
    return false;
  }
}

/** A picture does not tell the rule: where it fits the board shown, that one's holds. What is doubtful is to be checked. */
async function readPicture(study: Study, data: Blob, shown: string): Promise<void> {
  const seen = await post<Seen>("/api/see", data);
  const [found, wanted] = [partsOf(seen.game), partsOf(shown)];
  const game = found.kind === wanted.kind && found.size === wanted.size ? shown : seen.game;
  const draft = draftOfPicture(game, seen);
  if (!seen.sure || (!draft.toMove && !seen.over)) study.edit(draft);
  else {
    study.load(new Tree(game, setupOfDraft(draft)));
    toast(t("picture_read", Math.floor(100 * seen.confidence)));
  }
}

function chooseGame(found: Imported, take: (record: RecordGame) => void): void {
  const box = dialog(
    t(found.more ? "choose_first" : "choose_game", found.count),
    h(
      "div",
      { class: "games" },
      found.games.map((record, i) =>
        h("button", { type: "button", class: "plain wide", onclick: () => (box.close(), take(record)) }, titleOf(record, i)),
      ),
    ),
  );
}

function titleOf(record: RecordGame, i: number): string {
  return `${i + 1}. ${aboutRecord(record) || gameTitle(record.game)}`;
}

/** Who played, how it ended and when it was, as far as a record says. */
export function aboutRecord({ headers, result }: Pick<RecordGame, "headers" | "result">): string {
  const { black, white, date, event } = headers;
  const names = black || white ? `${black || "?"} – ${white || "?"}` : "";
  return [names, resultText(result), event, date].filter(Boolean).join(" · ");
}

function resultText(result: string): string {
  const [, verdict, score, why] = /^(black|white|draw)(?: (\d+-\d+))?(?: by (\w+))?$/.exec(result) ?? [];
  if (!verdict) return "";
  const reason = `reason_${why}`;
  const said = verdict === "draw" ? t("drawn") : t("won", sideName(verdict as Side));
  return [said, score, isWord(reason) ? t(reason) : why].filter(Boolean).join(", ");
}

export function askForImport(app: App, study: Study): void {
  const text = h("textarea", { name: "record", rows: 5, placeholder: t("paste_here"), "aria-label": t("paste_here"), spellcheck: "false" });
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

/** Files that are dropped anywhere on an element. */
export function acceptDrops(element: HTMLElement, study: Study): void {
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
  element.addEventListener("dragover", over);
  element.addEventListener("dragleave", leave);
  element.addEventListener("drop", drop);
}

/** What a person pastes as a file: a picture wherever it is, a text where no field takes it. */
function pasted(event: ClipboardEvent): File | null {
  const [file, text] = [event.clipboardData?.files[0], event.clipboardData?.getData("text/plain")];
  const box = document.querySelector("dialog[open]");
  if (box && !box.querySelector("[name=record]")) return null; // a dialog about something else
  if (file) return file;
  const isTyped = (event.target as HTMLElement).closest?.("input, textarea") !== null;
  return text?.trim() && !isTyped ? new File([text], "pasted.txt", { type: "text/plain" }) : null;
}

/**
 * Files that are dropped where no view takes them (else the browser would leave the page for them), and what is pasted
 * in any view.
 */
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
  document.addEventListener("paste", (event) => {
    const file = pasted(event);
    if (!file) return;
    event.preventDefault();
    void open(file);
  });
}

/** Why a game cannot be written in a format; null if it can. Whether it is over may not be known yet. */
function refusal(format: string, tree: Tree, isOver: boolean): Word | null {
  if (format === "wthor" && ![8, 10].includes(partsOf(tree.game).size)) return "needs_size";
  if (tree.setup && ["wthor", "psq", "moves"].includes(format)) return "needs_start";
  return format === "wthor" && !isOver ? "needs_end" : null;
}

async function exportRecord(study: Study, format: string): Promise<void> {
  const body = JSON.stringify({ format, ...study.tree.record() });
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
  const refusals = h("p", { class: "about" });
  const draw = (isOver: boolean) => {
    const refused = new Map<Word, string[]>();
    FORMATS[study.kind].forEach(([format, label], i) => {
      const reason = refusal(format, study.tree, isOver);
      records[i].disabled = reason !== null;
      if (reason) refused.set(reason, [...(refused.get(reason) ?? []), label]);
    });
    replace(refusals, [...refused].map(([reason, labels]) => `${labels.join(", ")}: ${t(reason)}`).join(" "));
  };
  draw(/\d-\d/.test(study.tree.result)); // a record that tells the score
  const end = study.tree.mainLine().at(-1) ?? study.tree.root;
  void study.look(study.tree.position(end)).then(({ outcome }) => outcome && draw(true), () => {});
  dialog(
    t("export"),
    h(
      "div",
      { class: "setup" },
      h("div", { class: "field" }, h("h3", {}, t("export_game")), h("div", { class: "row" }, records), refusals),
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
