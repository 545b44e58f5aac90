import { settings } from "./settings.js";
const zh = {
    games: ["对局"],
    games_per_second: ["每秒对局"],
    evaluations_per_second: ["每秒评估"],
    moves_per_second: ["每秒着法"],
    steps: ["学习步数"],
    generations: ["代"],
    minutes: ["分钟"],
    rating: ["等级分"],
    loss: ["损失"],
    policy_loss: ["策略损失", "策略"],
    value_loss: ["价值损失", "价值"],
    reply_loss: ["应着损失", "应着"],
    entropy: ["熵"],
    explained_variance: ["解释方差"],
    rate: ["学习率"],
    kl: ["KL 散度"],
    opposition: ["对抗概率"],
    median_length: ["对局长度中位数", "中位数"],
    length: ["对局长度", "训练"],
    black_share: ["黑胜比例", "黑胜"],
    draw_share: ["和棋比例", "和棋"],
    bare_share: ["相对单独网络的速度", "网络速度"],
    resign_error_share: ["误认输比例", "误认输"],
    must_block: ["挡住威胁"],
    rung: ["阶梯"],
    rung_score: ["对阶梯对手得分", "阶梯对手"],
    self_score: ["对旧我得分", "旧我"],
    self_black_share: ["自我对局黑胜比例", "自我对局黑胜"],
    self_white_share: ["自我对局白胜比例", "自我对局白胜"],
    self_draw_share: ["自我对局和棋比例", "自我对局和棋"],
    gate_score: ["门槛赛得分", "门槛赛"],
    gate_promoted: ["通过门槛"],
    epsilon: ["探索率 ε"],
    value: ["平均 Q 值"],
    reward: ["奖励", "训练"],
    self_reward: ["自我对局奖励", "自我对局"],
    win_rate: ["胜率", "胜"],
    draw_rate: ["和棋率", "和"],
    loss_rate: ["负率", "负"],
    scouts_win_rate: ["侦察胜率", "侦察"],
    score: ["得分", "平均"],
    best_score: ["最高得分", "最高"],
    parents_score: ["父代得分", "父代"],
    draws: ["和棋"],
    gradient: ["梯度"],
    norm: ["权重范数"],
    strength: ["变异强度"],
    right: ["识别正确率"],
    points: ["点损失"],
    corners: ["角损失"],
    lattice: ["网格损失"],
    drawn: ["已画图片"],
    validation_points: ["验证：点"],
    validation_boards: ["验证：棋盘"],
};
const en = {
    rate: "Learning rate", kl: "KL divergence", must_block: "Threats stopped", value: "Mean value", norm: "Size of the weights",
    black_share: "Won by black", draw_share: "Drawn", bare_share: "Of the net's own speed", resign_error_share: "Wrong resignations",
};
const RIVALS = { black: "执黑", white: "执白", first: "先手" };
const spoken = (key) => key.replaceAll("_", " ");
export function metricName(key) {
    const english = spoken(key);
    if (settings.value.language === "en")
        return en[key] ?? english.charAt(0).toUpperCase() + english.slice(1);
    return zh[key]?.[0] ?? english;
}
export function curveName(key) {
    const rest = key.replace(/^(ladder|evaluate)_/, "").replace(/_(wins|loss|share|rate|length|reward)$/, "");
    if (settings.value.language === "en")
        return (en[key] ?? spoken(rest)).toLowerCase();
    const generation = /^generation_(\d+)$/.exec(rest);
    const known = zh[key] && (zh[key][1] ?? zh[key][0]);
    return known ?? (generation ? `第 ${generation[1]} 代` : (RIVALS[rest] ?? spoken(rest)));
}
