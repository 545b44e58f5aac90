export function other(side) {
    return side === "black" ? "white" : "black";
}
