/** What a person likes, kept in this browser. */

import { Signal } from "./signal.js";

export interface Settings {
  language: "en" | "zh";
  theme: "system" | "light" | "dark";
  board: "wood" | "paper" | "dark";
  sound: boolean;
  numbers: boolean;
  coordinates: boolean;
  confirm: boolean;
  /** How the board is turned and flipped: see `Geometry` in art.ts. */
  turn: number;
}

const KEY = "tengen.settings";

const USUAL: Settings = {
  language: navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en",
  theme: "system",
  board: "wood",
  sound: true,
  numbers: false,
  coordinates: true,
  confirm: matchMedia("(pointer: coarse)").matches, // a finger hides the point that it is on
  turn: 0,
};

const CHOICES: Partial<Record<keyof Settings, readonly string[]>> = {
  language: ["en", "zh"],
  theme: ["system", "light", "dark"],
  board: ["wood", "paper", "dark"],
};

const TURNS = [0, 1, 2, 3, 4, 5, 6, 7];

/** Storage may be full, forbidden or hold anything: then there is simply nothing kept. */
export function kept<T>(storage: Storage, key: string): T | null {
  try {
    return JSON.parse(storage.getItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

export function keep(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // The game goes on without.
  }
}

/** What is kept; where nothing is, `before` holds. */
function loaded(before: Settings): Settings {
  const found = kept<Record<string, unknown>>(localStorage, KEY) ?? {};
  const settings: Record<string, unknown> = { ...before };
  for (const [key, usual] of Object.entries(USUAL)) {
    const value = found[key];
    const choices = CHOICES[key as keyof Settings];
    if (typeof value === typeof usual && (!choices || choices.includes(value as string))) settings[key] = value;
  }
  if (!TURNS.includes(settings["turn"] as number)) settings["turn"] = 0;
  return settings as unknown as Settings;
}

export const settings = new Signal<Settings>(loaded(USUAL));

export function change(part: Partial<Settings>): void {
  // Another tab may have changed the rest since.
  keep(localStorage, KEY, { ...kept<Partial<Settings>>(localStorage, KEY), ...part });
  settings.set({ ...settings.value, ...part });
}

addEventListener("storage", (event) => {
  if (event.key === KEY) settings.set(loaded(settings.value));
});

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Put the theme and the language on the document, now and whenever they change. */
export function wear(): void {
  const apply = () => {
    const { theme, language } = settings.value;
    const dark = theme === "dark" || (theme === "system" && prefersDark.matches);
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  };
  settings.listen(apply);
  prefersDark.addEventListener("change", apply);
  apply();
}
