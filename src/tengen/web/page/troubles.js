import { settings } from "./settings.js";
const zh = {
    over: "对局已经结束。",
    occupied: "{0} 已有{1}。",
    forbidden: "{0} 是黑方禁手：{1}。",
    turns_nothing: "{0} 翻不了任何棋子。",
    must_pass: "{0} 翻不了任何棋子：只能停一手。",
    may_not_pass: "还有棋可下（例如 {1}），不能停一手。",
    illegal_move: "不能这样下。",
    notation: "棋盘上没有这个点。",
    position: "这样的局面不成立。",
    not_your_turn: "轮到电脑下。",
    nothing_to_undo: "没有可以悔的棋。",
    nothing_to_redo: "没有可以恢复的棋。",
    no_hint: "这里没有提示。",
    no_choice: "现在没有可选的。",
    no_colour: "还没有定颜色。",
    no_draw: "现在不能提和。",
    draw_refused: "电脑不同意和棋。",
    no_pause: "现在不能暂停或继续。",
    trouble: "出了问题（{message}）。",
    no_resignation: "只有人可以认输。",
    no_lines: "{0} 没有可显示的线路。",
    cannot_go_on: "{0} 无法继续（{1}）。",
    seconds: "每步时间为 {0} 至 {1} 秒。",
    no_player: "没有棋手 {0}；有：{1}。",
    no_net: "没有网络 {0}；有：{1}。",
    no_option: "{0} 没有选项 {1}。",
    option_range: "{0} 须是不超过 {1} 的整数。",
    does_not_play: "{0} 不会下 {1}。",
    player_name: "棋手名无效（{message}）。",
    game_name: "没有这种棋（{message}）。",
    no_game: "里面没有棋谱。",
    no_format: "认不出这是什么棋谱。可用 SGF、PSQ、GGF、WTHOR、RenLib，或 h8 i9 这样的着法。",
    record: "读不了这份棋谱（{message}）。",
    cannot_write: "存不成 {0}（{1}）。",
    arena_file: "读不了对抗赛文件（{message}）。",
    picture: "读不了这张图片（{message}）。",
    no_board: "图片里看不到棋盘。若有，请先把图片裁到只剩棋盘。",
    no_vision: "识别图片需要 {0}：pip install tengen[vision]",
    too_large: "太大：最多 {0} KiB。",
    too_slow: "请求传得太慢。",
};
const OTHER = "未能完成（{message}）。";
const DETAILS = {
    black: "黑子", white: "白子", "double three": "三三", "double four": "四四", overline: "长连",
};
const en = {
    draw_refused: "The program wants to play on.",
    no_format: "No game is found in this. It may be in SGF, PSQ, GGF, WTHOR, RenLib or plain moves such as h8 i9.",
    no_board: "No board is seen in this picture. If there is one, crop the picture to the board.",
};
const LANGUAGES = { en, zh };
const REMARKS = [
    [/^(\d+) black and (\d+) white stones do not come from/, "{1} 黑 {2} 白，不像是轮流下出来的。"],
    [/^by the mark on (\w+) it is black's turn/, "按 {1} 上的标记该黑方走，按子数该白方走。"],
    [/^by the mark on (\w+) it is white's turn/, "按 {1} 上的标记该白方走，按子数该黑方走。"],
    [/^both black and white have (\d+) in a row/, "黑白双方都有 {1} 子连成一线。"],
    [/^black has (\d+) in a row, but by the numbers/, "黑方 {1} 子连成一线，但按子数最后一手是白方下的。"],
    [/^white has (\d+) in a row, but by the numbers/, "白方 {1} 子连成一线，但按子数最后一手是黑方下的。"],
    [/^(\d+) discs are too few/, "只有 {1} 子，不像已经开始的对局。"],
    [/^the lines of the board are seen badly/, "棋盘的线看不清楚。"],
    [/^the lines go on beyond the board/, "棋盘的线延伸到外面，可能只是更大棋盘的一部分。"],
    [/^there is not one stone/, "一个子也没有：空格子不一定是棋盘。"],
    [/^the picture ends at a line of the board/, "图片在棋盘的一条线上截断，可能只是更大棋盘的一部分。"],
];
export function explainRemark(remark) {
    for (const [pattern, words] of settings.value.language === "zh" ? REMARKS : []) {
        const found = pattern.exec(remark);
        if (found)
            return words.replace(/\{(\d)\}/g, (_, at) => found[Number(at)]);
    }
    return `${remark.charAt(0).toUpperCase()}${remark.slice(1)}.`;
}
export function explain(trouble) {
    const { message, code = "", details = [] } = trouble;
    const { language } = settings.value;
    const words = LANGUAGES[language]?.[code] ?? (language === "zh" ? OTHER : undefined);
    if (words === undefined)
        return message;
    return words.replace(/\{(\w+)\}/g, (_, at) => (at === "message" ? message : (DETAILS[details[Number(at)]] ?? details[Number(at)] ?? "")));
}
