/** The settings and the help. */

import { h } from "./dom.js";
import { change, type Settings, settings } from "./settings.js";
import { type App, choices, dialog, toggle } from "./shell.js";
import { t, type Word } from "./words.js";

export function showSettings(): void {
  const body = h("div", { class: "settings" });
  const box = dialog(t("settings"), body);
  const pick = <K extends "theme" | "board" | "language">(key: K, legend: string, options: [Settings[K], string][]) =>
    choices(
      key,
      legend,
      options.map(([value, label]) => ({ value, label })),
      settings.value[key],
      (value) => choose({ [key]: value }),
    );
  const switchOf = (key: "sound" | "numbers" | "coordinates" | "confirm") =>
    toggle(t(key), settings.value[key], (on) => choose({ [key]: on }), key);
  const draw = () => {
    const heading = box.querySelector("h2");
    if (heading) heading.textContent = t("settings");
    const focused = document.activeElement as HTMLInputElement | null;
    const [group, value] = [focused?.closest("fieldset")?.dataset["name"], focused?.value];
    body.replaceChildren(
      pick("theme", t("theme"), [["system", t("system")], ["light", t("light")], ["dark", t("dark")]]),
      pick("board", t("board"), [["wood", t("wood")], ["paper", t("paper")], ["dark", t("dark")]]),
      pick("language", t("language"), [["en", "English"], ["zh", "中文"]]),
      h("div", { class: "toggles" }, switchOf("numbers"), switchOf("coordinates"), switchOf("sound"), switchOf("confirm")),
    );
    if (group) body.querySelector<HTMLElement>(`[data-name="${group}"] input[value="${value}"]`)?.focus();
  };
  draw();
  let shown = settings.value;
  const choose = (part: Partial<Settings>) => {
    if (!part.language) shown = { ...shown, ...part }; // else there are other words to show
    change(part);
  };
  const end = settings.listen(() => {
    if (JSON.stringify(settings.value) !== JSON.stringify(shown)) draw();
    shown = settings.value;
  });
  box.addEventListener("close", end);
}

export function showHelp(app: App): void {
  const keys: [string, Word][] = [
    ["← ↑ → ↓", "key_arrows"],
    ["Enter", "key_enter"],
    ["U", "key_u"],
    ["Y", "key_y"],
    ["H", "key_h"],
    ["N", "key_n"],
    ["← →", "key_walk"],
    ["Home End", "key_ends"],
    ["Page ↑ ↓", "key_back"],
    ["R F", "key_turn"],
    ["Delete", "key_delete"],
    ["A", "key_space"],
    ["Tab", "key_tab"],
    ["?", "key_help"],
  ];
  const rules = ["freestyle", "standard", "renju", "caro", "othello"] as const;
  dialog(
    t("help"),
    h("div", { class: "help" },
      h("h3", {}, t("rules")),
      h("dl", { class: "rules" }, rules.flatMap((rule) => [h("dt", {}, t(rule)), h("dd", {}, t(`about_${rule}`))])),
      h("h3", {}, t("keys")),
      h("dl", { class: "keys" }, keys.flatMap(([key, word]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(word))])),
      app.levels.about ? h("p", { class: "about" }, t("version", app.levels.about.version)) : null,
    ),
  );
}
