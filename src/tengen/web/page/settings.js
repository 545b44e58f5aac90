import { Signal } from "./signal.js";
const KEY = "tengen.settings";
const USUAL = {
    language: navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en",
    theme: "system",
    board: "wood",
    sound: true,
    numbers: false,
    coordinates: true,
    confirm: matchMedia("(pointer: coarse)").matches,
    turn: 0,
};
const CHOICES = {
    language: ["en", "zh"],
    theme: ["system", "light", "dark"],
    board: ["wood", "paper", "dark"],
};
const TURNS = [0, 1, 2, 3, 4, 5, 6, 7];
export function kept(storage, key) {
    try {
        return JSON.parse(storage.getItem(key) ?? "null");
    }
    catch {
        return null;
    }
}
export function keep(storage, key, value) {
    try {
        storage.setItem(key, JSON.stringify(value));
    }
    catch {
    }
}
function loaded(before) {
    const found = kept(localStorage, KEY) ?? {};
    const settings = { ...before };
    for (const [key, usual] of Object.entries(USUAL)) {
        const value = found[key];
        const choices = CHOICES[key];
        if (typeof value === typeof usual && (!choices || choices.includes(value)))
            settings[key] = value;
    }
    if (!TURNS.includes(settings["turn"]))
        settings["turn"] = 0;
    return settings;
}
export const settings = new Signal(loaded(USUAL));
export function change(part) {
    keep(localStorage, KEY, { ...kept(localStorage, KEY), ...part });
    settings.set({ ...settings.value, ...part });
}
addEventListener("storage", (event) => {
    if (event.key === KEY)
        settings.set(loaded(settings.value));
});
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
export function wear() {
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
