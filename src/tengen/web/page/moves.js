export const LETTERS = "abcdefghijklmnopqrstuv";
export function moveOf(kind, size, cell) {
    const row = Math.floor(cell / size);
    return LETTERS[cell % size] + String(kind === "othello" ? row + 1 : size - row);
}
export function cellOf(kind, size, move) {
    const match = /^([a-v])(\d{1,2})$/.exec(move);
    if (!match)
        return null;
    const column = LETTERS.indexOf(match[1]);
    const number = Number(match[2]);
    const row = kind === "othello" ? number - 1 : size - number;
    return row >= 0 && row < size && column < size ? row * size + column : null;
}
export function cellsOf(kind, size, moves) {
    return moves.map((move) => cellOf(kind, size, move)).filter((cell) => cell !== null);
}
export function splitMoves(text) {
    const moves = text.toLowerCase().match(/pass|[a-v]\d{1,2}/g) ?? [];
    return moves.join("") === text.toLowerCase() ? moves : null;
}
export function partsOf(game) {
    const [head, tail = ""] = game.split(":");
    const options = new Map(tail.split(",").map((option) => option.split("=")));
    const kind = head === "othello" ? "othello" : "gomoku";
    const rule = head === "renju" ? "renju" : (options.get("rule") ?? "freestyle");
    return { kind, rule, size: Number(options.get("size") ?? (kind === "othello" ? 8 : 15)) };
}
export function gameName(parts) {
    if (parts.kind === "othello")
        return parts.size === 8 ? "othello" : `othello:size=${parts.size}`;
    const options = [];
    if (parts.rule !== "freestyle" && parts.rule !== "renju")
        options.push(`rule=${parts.rule}`);
    if (parts.size !== 15)
        options.push(`size=${parts.size}`);
    const head = parts.rule === "renju" ? "renju" : "gomoku";
    return options.length ? `${head}:${options.join(",")}` : head;
}
