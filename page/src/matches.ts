/** A match of the arena: the standings, who beat whom, and the games. */

import { figure } from "./chart.js";
import { h } from "./dom.js";
import { gameTitle, kindName, plainName } from "./names.js";
import { gameTable, type PlayedGame, table } from "./tables.js";
import { dateText, t } from "./words.js";

interface Score {
  wins: number;
  draws: number;
  losses: number;
}

export interface MatchSummary {
  id: number;
  settings: { game: string; players: string[] };
  begun: number;
  changed: number;
  games: number;
  summary: null | {
    wins: number[];
    draws: number;
    losses?: number[];
    seconds_per_move: number[];
    ratings?: { rating: number; low: number; high: number }[] | null;
    cross_table?: (null | Score)[][];
    elo: number | null;
    elo_low: number | null;
    elo_high: number | null;
    planned?: number;
    details?: { as_black: Score; as_white: Score }[];
  };
}

export interface Match extends MatchSummary {
  /** How many were played; of very many only the first are sent. */
  games_in_all?: number;
  played: (PlayedGame & { number: number })[];
}

export interface Net {
  name: string;
  method: string;
  games: string[];
  shape: { kind: string; blocks: number; channels: number };
  training: Record<string, string | number>;
  rating: [number, number, number] | null;
}

export function matchTitle({ settings }: MatchSummary): string {
  const { players } = settings;
  return players.length > 3 ? t("n_players", players.length) : players.map(plainName).join(" – ");
}

export function showMatch(match: Match): HTMLElement[] {
  const { settings, summary } = match;
  const parts = [
    h("header", { class: "title-row" }, h("h2", {}, matchTitle(match))),
    h("p", { class: "about" }, [gameTitle(settings.game), t("n_games", match.games), dateText(new Date(1000 * match.changed))].join(" · ")),
  ];
  if (summary) parts.push(h("h3", {}, t("standings")), standings(match));
  if (summary?.cross_table && settings.players.length > 2) parts.push(h("h3", {}, t("cross_table")), crossTable(match));
  parts.push(h("h3", {}, gamesTitle(match)), gameTable(t("games"), match.played.map((game) => [t("game_n", game.number + 1), game])));
  return parts;
}

function gamesTitle({ played, games_in_all: all = 0 }: Match): string {
  return all > played.length ? `${t("games")} · ${t("first_games", played.length, all)}` : t("games");
}

function standings({ settings, summary }: Match): HTMLElement {
  if (!summary) return h("p", {});
  const order = settings.players.map((_, i) => i).sort((a, b) => (summary.ratings?.[b]?.rating ?? summary.wins[b]) - (summary.ratings?.[a]?.rating ?? summary.wins[a]));
  const rows = order.map((i) => {
    const rating = summary.ratings?.[i];
    const drawn = summary.details ? summary.details[i].as_black.draws + summary.details[i].as_white.draws : summary.draws;
    return [
      named(settings.players[i]),
      rating ? `${Math.round(rating.rating)}` : "–",
      rating && rating.high > rating.low ? `${Math.round(rating.low)} – ${Math.round(rating.high)}` : "–",
      summary.wins[i],
      drawn,
      summary.losses?.[i] ?? "–",
      duration(summary.seconds_per_move[i] ?? 0),
    ];
  });
  return table(t("standings"), [t("player"), t("rating_word"), "95 %", t("won_word"), t("drawn_word"), t("lost_word"), t("per_move")], rows);
}

function duration(seconds: number): string {
  if (seconds < 0.001) return `< ${t("n_milliseconds", 1)}`;
  return seconds < 1 ? t("n_milliseconds", Math.round(1000 * seconds)) : t("n_seconds", figure(seconds));
}

function crossTable({ settings, summary }: Match): HTMLElement {
  const rows = (summary?.cross_table ?? []).map((row, i) => [
    named(settings.players[i]),
    ...row.map((score) => (score ? `${score.wins}–${score.draws}–${score.losses}` : "·")),
  ]);
  return table(t("cross_table"), [null, ...settings.players.map(plainName)], rows);
}

/** A player, and below the pointer what the registry calls it. */
function named(player: string): HTMLElement {
  return h("span", { title: player }, plainName(player));
}

export function showNets(nets: Net[]): HTMLElement[] {
  const rows = nets.map((net) => [
    net.name,
    net.rating ? `${net.rating[0]} (${net.rating[1]} – ${net.rating[2]})` : "–",
    h("span", { class: "wraps" }, net.games.map(gameTitle).join(t("comma"))),
    kindName(net.method),
    typeof net.training["minutes"] === "number" ? `${figure(net.training["minutes"])} ${t("minutes")}` : "–",
    net.shape.blocks ? t("net_shape", net.shape.blocks, net.shape.channels) : net.shape.kind === "lines" ? t("net_lines") : net.shape.kind,
  ]);
  return [
    h("header", { class: "title-row" }, h("h2", {}, t("nets_at_hand"))),
    h("p", { class: "about" }, t("nets_about")),
    table(t("nets"), [t("net"), t("rating_word"), t("game"), t("method"), t("trained"), t("shape")], rows),
  ];
}
