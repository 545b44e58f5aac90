/** What surrounds the views: toasts, the line that is read aloud, dialogs, choices. */

import type { Connection } from "./connection.js";
import { append, type Child, h, iconButton, relabel } from "./dom.js";
import type { Game } from "./game.js";
import type { Levels } from "./names.js";
import type { Positions } from "./positions.js";
import { settings } from "./settings.js";
import { t } from "./words.js";

export interface App {
  connection: Connection;
  game: Game;
  levels: Levels;
  positions: Positions;
  /** Show another view: "play", or "analyse/GAME/MOVES". */
  go(address: string): void;
  /** Say in the address bar what is shown, which is no new step of its history. */
  write(address: string): void;
}

/** A view: its element, what keys do in it, and its end. */
export interface Page {
  element: HTMLElement;
  /** A key was pressed, a letter told as a small one: Caps Lock changes nothing. Whether it means something here. */
  key?(pressed: { key: string }): boolean;
  /** The address changed while this view was shown. */
  moved?(address: string): void;
  /** `again`: the same view is about to be built anew, in another dress. */
  close(again: boolean): void;
}

const live = h("div", { class: "unseen", "aria-live": "polite", role: "status", id: "said" });
let saying: ReturnType<typeof setTimeout> | undefined;
const toasts = h("div", { class: "toasts", role: "alert", "aria-live": "assertive" });

export function addVoices(): void {
  document.body.append(live, toasts);
}

/** Say something to whoever cannot see it; the same as before is said again. */
export function say(text: string): void {
  clearTimeout(saying);
  const isAgain = live.textContent === text;
  live.textContent = isAgain ? "" : text;
  if (isAgain) saying = setTimeout(() => (live.textContent = text), 50); // what has not changed is not read aloud
}

/** An open dialog makes all else dim and unheard: so the toasts are in the topmost one, below its title. */
function moveToasts(): void {
  const home = [...document.querySelectorAll("dialog[open] > header")].at(-1) ?? document.body;
  if (toasts.parentElement !== home) home.append(toasts);
}

/** What was wrong is mended, or left behind. */
export function dropTrouble(): void {
  for (const trouble of toasts.querySelectorAll(".bad")) trouble.remove();
}

export function toast(text: string, tone: "plain" | "bad" = "plain"): void {
  if (tone === "bad") dropTrouble(); // the newest one is to be mended
  const shown = h("div", { class: `toast ${tone}` }, text);
  toasts.append(shown);
  while (toasts.childElementCount > 3) toasts.firstElementChild?.remove();
  setTimeout(() => shown.remove(), tone === "bad" ? 5000 : 2600);
}

/** A modal dialog with a title; it is gone from the page when it closes. */
export function dialog(title: string, ...children: (Child | Child[])[]): HTMLDialogElement {
  const id = `title-${title.length}-${Date.now()}`;
  const box = h("dialog", { "aria-labelledby": id });
  const name = h("h2", { id, tabindex: -1 }, title);
  const closing = iconButton("close", t("close"), () => box.close(), { bare: true });
  append(box, h("header", {}, name, closing), ...children);
  const end = settings.listen(() => relabel(closing, t("close"))); // in the language that was chosen in it
  box.addEventListener("close", () => {
    end();
    moveToasts();
    box.remove();
  });
  closeFromOutside(box);
  document.body.append(box);
  dropTrouble(); // it was about something else
  box.showModal();
  moveToasts();
  // Else the focus would be on the button that closes it.
  if (!box.querySelector("[autofocus]")) name.focus();
  return box;
}

/** A click beside a dialog closes it; one that began in it, such as to select text, does not, nor does its edge. */
function closeFromOutside(box: HTMLDialogElement): void {
  const isOutside = ({ target, clientX, clientY }: MouseEvent) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return target === box && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  };
  let beganOutside = false;
  box.addEventListener("pointerdown", (event) => (beganOutside = isOutside(event)));
  box.addEventListener("click", (event) => {
    if (beganOutside && isOutside(event)) box.close();
  });
}

export function confirmed(question: string, yes: string, then: () => void): void {
  const box = dialog(
    question,
    h(
      "div",
      { class: "row end" },
      h("button", { type: "button", class: "plain", onclick: () => box.close() }, t("cancel")),
      h("button", { type: "button", class: "primary", autofocus: true, onclick: () => (box.close(), then()) }, yes),
    ),
  );
  box.classList.add("small");
}

export interface Choice {
  value: string;
  label: string;
  stone?: "black" | "white" | "both";
}

/** One of several, as a row of radio buttons. */
export function choices(
  name: string,
  legend: string,
  options: Choice[],
  chosen: string,
  onchange: (value: string) => void,
): HTMLFieldSetElement {
  const group = `${name}-${Math.random().toString(36).slice(2, 8)}`;
  return h(
    "fieldset",
    { class: "choices", "data-name": name },
    h("legend", {}, legend),
    h(
      "div",
      { class: "segments" },
      options.map(({ value, label, stone }) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: group, value, checked: value === chosen, onchange: () => onchange(value) }),
          h("span", {}, stone ? h("i", { class: `stone ${stone}` }) : null, label),
        ),
      ),
    ),
  );
}

export function toggle(label: string, on: boolean, onchange: (on: boolean) => void, name: string): HTMLLabelElement {
  return h(
    "label",
    { class: "toggle" },
    h("span", {}, label),
    h("input", {
      type: "checkbox",
      role: "switch",
      name,
      checked: on,
      onchange: (event: Event) => onchange((event.target as HTMLInputElement).checked),
    }),
  );
}

