import { splitMoves } from "./moves.js";
export function addressOf({ game, moves, setup }) {
    const parts = ["analyse", game, moves.join("")];
    if (setup)
        parts.push(`black=${setup.black.join("")},white=${setup.white.join("")},to=${setup.to_move}`);
    return parts.join("/");
}
export function placeOf(address) {
    const [view, game, moves = "", stones] = address.split("/");
    if (view !== "analyse" || !game)
        return null;
    const played = splitMoves(moves);
    const setup = stones ? setupOf(stones) : null;
    return played && setup !== undefined ? { game, moves: played, setup } : { game, moves: [played ? (stones ?? "") : moves], setup: null };
}
function setupOf(text) {
    const parts = new Map(text.split(",").map((part) => part.split("=")));
    const black = splitMoves(parts.get("black") ?? "");
    const white = splitMoves(parts.get("white") ?? "");
    const toMove = parts.get("to");
    if (!black || !white || (toMove !== "black" && toMove !== "white"))
        return undefined;
    return { black, white, to_move: toMove };
}
