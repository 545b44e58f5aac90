/** Friendly names: levels, players, games and how they end. */

import { partsOf } from "./moves.js";
import type { About, AboutGame, Level, Outcome, Side, View } from "./protocol.js";
import { isWord, t } from "./words.js";

export class Levels {
  #games = new Map<string, AboutGame>();

  constructor(public about: About | null = null) {}

  learn(about: About): void {
    this.about = { ...about, games: this.about?.games ?? about.games };
    for (const game of about.games) this.#games.set(game.name, game);
  }

  /** What is known of a game, asking the server if need be: levels differ where there is no net. */
  async of(game: string): Promise<AboutGame | null> {
    if (!this.#games.has(game)) {
      const answer = await fetch(`/api/about?game=${encodeURIComponent(game)}`).catch(() => null);
      if (answer?.ok) this.learn((await answer.json()) as About);
    }
    return this.known(game);
  }

  /** The kinds of player that play a game; null as long as that is not known. */
  kinds(game: string): string[] | null {
    return this.#games.get(game)?.players ?? null;
  }

  /** As far as is known: for a game that was not asked for yet, what is true of its kind. */
  known(game: string): AboutGame | null {
    const exact = this.#games.get(game);
    if (exact) return exact;
    const { kind } = partsOf(game);
    const similar = [...this.#games.values()].find((each) => each.kind === kind);
    // A rating is of one game alone.
    return similar ? { ...similar, levels: similar.levels.map((level) => ({ ...level, rating: null })) } : null;
  }

  level(game: string, player: string): Level | null {
    return this.known(game)?.levels.find((level) => level.player === player) ?? null;
  }
}

export function levelName(number: number): string {
  const word = `level_${number}`;
  return isWord(word) ? t(word) : String(number);
}

/** `detail` stands below the name, with `more` where there is room; `about` explains them. */
export interface Shown {
  name: string;
  detail: string;
  more?: string;
  about?: string;
}

/** What people call a kind of player. */
export function kindName(kind: string): string {
  const word = `kind_${kind}`;
  return isWord(word) ? t(word) : kind;
}

/** A player's name for people: a level where it is one, else its kind and its options. */
export function playerName(levels: Levels, game: string, player: string): Shown {
  const level = levels.level(game, player);
  if (!level) {
    const [kind, options] = player.split(/:(.*)/);
    return { name: kindName(kind), detail: options || t("computer"), about: player };
  }
  // Where a line is too short for both, it breaks between them.
  const unbroken = (text: string) => text.replaceAll(" ", "\u00a0");
  const shown = { name: levelName(level.number), detail: unbroken(t("level_n", level.number)) };
  if (typeof level.rating !== "number") return shown;
  return { ...shown, more: unbroken(t("rating", level.rating)), about: t("rating_about") };
}

/** A player's name in a table: its kind and its options. */
export function plainName(player: string): string {
  const [kind, options] = player.split(/:(.*)/);
  return options ? `${kindName(kind)} ${options.replaceAll(",", ", ")}` : kindName(kind);
}

export function sideName(side: Side): string {
  return side === "black" ? t("Black") : t("White");
}

export function gameTitle(game: string): string {
  const { kind, rule, size } = partsOf(game);
  const dimension = `${size}×${size}`;
  if (kind === "othello") return `${t("othello")} ${dimension}`;
  const win = /\bwin=(\d+)/.exec(game)?.[1] ?? "5";
  return [`${t(isWord(rule) ? rule : "gomoku")} ${dimension}`, win === "5" ? "" : t("in_a_row", win)].filter(Boolean).join(", ");
}

/** Why a game ended. */
export function reason(view: View, outcome: Outcome): string {
  if (outcome.reason === "line" && outcome.line.length !== 5) return t("reason_row", outcome.line.length);
  if (view.kind === "othello" && ["no_moves", "board_full"].includes(outcome.reason)) {
    return t("reason_count", Math.max(...view.score), Math.min(...view.score));
  }
  const word = `reason_${outcome.reason}`;
  return isWord(word) ? t(word) : outcome.reason;
}

export function clockText(seconds: number): string {
  if (seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
