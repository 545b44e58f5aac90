import { t } from "./words.js";
export function short(number) {
    if (number < 1000)
        return String(Math.round(number));
    const [divisor, unit] = number < 1e6 ? [1e3, "k"] : number < 1e9 ? [1e6, "M"] : [1e9, "G"];
    const scaled = number / divisor;
    return `${scaled < 100 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
}
export function percent(value) {
    return Math.round(50 + 50 * Math.max(-1, Math.min(1, value)));
}
export function isKnown(line, { heat }) {
    return line.value !== null || line.proof !== null || !heat?.["visits"];
}
export function worth(line) {
    if (line.proof === "won")
        return line.distance ? t("win_in", line.distance) : t("wins");
    if (line.proof === "lost")
        return line.distance ? t("loss_in", line.distance) : t("loses");
    if (line.proof === "exact")
        return signed(line.score);
    if (line.value !== null)
        return `${percent(line.value)} %`;
    return signed(line.score);
}
export function signed(number, digits = 3) {
    const size = Math.abs(number);
    const shown = Number.isInteger(number) ? String(size) : size.toFixed(Math.max(0, digits - String(Math.floor(size)).length));
    return number > 0 ? `+${shown}` : number < 0 ? `−${shown}` : shown;
}
