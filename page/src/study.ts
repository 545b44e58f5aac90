/** A position under analysis, with its variations: what is known of it, and what is being asked. No drawing here. */

import type { Connection } from "./connection.js";
import { type Draft, setupOfDraft } from "./draft.js";
import { partsOf } from "./moves.js";
import { addressOf, type Place, placeOf } from "./place.js";
import { LostConnection, type Positions } from "./positions.js";
import type { Analysis, Line, Outcome, PositionRef, RecordGame, ServerMessage, Side, View } from "./protocol.js";
import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";
import { Tree, type TreeNode, UNKNOWN } from "./tree.js";
import { explain } from "./troubles.js";

const KEY = "tengen.study";
const ON_BOARD = ["line", "board_full", "no_moves"]; // ends that the board shows
const BESIDE: Record<string, string> = { resignation: "resignation", time: "time", timeout: "time", agreement: "agreement", foul: "foul" };
const LIVE_SECONDS = 60;
const REVIEW_SECONDS = 0.4;

/** How a game ended, with the reason where it is told. */
type End = Pick<Outcome, "winner"> & { reason?: string };

interface Kept {
  record: RecordGame;
  values: (number | null)[];
  player: string | null;
  lines: number;
  heat: string;
  on: boolean;
}

/** The tree that was kept, if that is one: storage may hold anything. */
function keptTree(found: Partial<Kept> | null): Tree | null {
  try {
    const tree = Tree.fromRecord((found as Kept).record);
    partsOf(tree.game);
    addressOf({ ...tree.position(), setup: tree.setup });
    tree.setValues(found?.values ?? []);
    return tree;
  } catch {
    return null;
  }
}

/** What a line is worth to black, from -1 to 1. */
export function valueForBlack(line: Line, toMove: Side): number | null {
  const value = line.proof === "won" ? 1 : line.proof === "lost" ? -1 : line.value;
  return value === null ? null : toMove === "black" ? value : -value;
}

export class Study {
  tree = new Tree("gomoku");
  view: View | null = null;
  analysis: Analysis | null = null;
  on = false;
  /** The player that the person chose, if any. */
  player: string | null = null;
  /** The kinds that can analyse this game, the strongest first, as far as is known: this one plays them all. */
  kinds: string[] = ["alphabeta"];
  lines = 3;
  /** What the marks on the board show; see heat.ts. */
  heat = "lines";
  review: { done: number; total: number } | null = null;
  /** The stones that are being set by hand, if they are. */
  draft: Draft | null = null;
  /** Something above has changed. */
  readonly changed = new Signal<number>(0);
  /** Why a position could not be shown or analysed. */
  readonly trouble = new Signal<string>("");
  /** The tree that this one took the place of. */
  before: Tree | null = null;
  #wasOn = false; // before a reload
  #wasOnBeforeEdit = false;
  #wasOnBeforeReview = false;
  #count = 0;
  #thinking: { id: number; node: TreeNode; isQueued: boolean } | null = null;
  // The nodes that the view and the analysis are of: equal moves may be played on other stones.
  #viewed: TreeNode | null = null;
  #analysed: TreeNode | null = null;
  #queue: TreeNode[] = []; // what is left of a review, what is looked at first
  /** What the server calls games that have come by other names. */
  readonly #names = new Map<string, string>();

  constructor(
    private readonly connection: Connection,
    private readonly positions: Positions,
  ) {
    const found = kept<Partial<Kept>>(sessionStorage, KEY);
    const tree = keptTree(found);
    if (found && tree) {
      this.tree = tree;
      if (typeof found.player === "string") this.player = found.player;
      if (typeof found.lines === "number") this.lines = found.lines;
      if (typeof found.heat === "string") this.heat = found.heat;
      this.#wasOn = found.on === true;
    }
    addEventListener("pagehide", () => this.#save()); // what analysis has found since
    connection.listen((message) => this.#hear(message));
    connection.status.listen((status) => {
      if (status === "open") {
        this.#show();
        if (this.review) this.#reviewNext(); // there was nobody to ask, or nobody any more
      } else this.#lose();
    });
  }

  /** Who analyses: the chosen player where it plays this game, else the strongest that does. */
  get engine(): string {
    if (this.player && this.kinds.includes(this.player)) return this.player;
    return this.kinds[0] ?? "alphabeta";
  }

  /** What plays this game has come to be known, maybe while a weaker one analyses. */
  know(kinds: string[]): void {
    const { engine } = this;
    this.kinds = kinds;
    if (this.on && this.view && this.engine !== engine) this.#think();
  }

  #notify(): void {
    this.changed.set(this.changed.value + 1);
  }

  #lose(): void {
    this.#thinking = null;
    this.#notify();
  }

  // --- where we are ---

  get address(): string {
    return addressOf({ ...this.tree.position(), setup: this.tree.setup });
  }

  /** Go where an address leads: within the tree if it is there, else to a new one. */
  visit(address: string): void {
    this.on ||= this.#wasOn;
    this.#wasOn = false;
    const place = placeOf(address);
    if (!place) {
      this.#show();
      return;
    }
    place.game = this.#names.get(place.game) ?? place.game;
    const node = this.#find(place);
    if (node) this.go(node);
    else this.load(Tree.fromMoves(place.game, place.moves, place.setup));
  }

  #find(place: Place): TreeNode | null {
    const same = place.game === this.tree.game && JSON.stringify(place.setup) === JSON.stringify(this.tree.setup);
    let node: TreeNode | undefined = same ? this.tree.root : undefined;
    for (const move of place.moves) node = node?.children.find((child) => child.move === move);
    return node ?? null;
  }

  load(tree: Tree): void {
    if (this.review) {
      this.#endReview();
      this.#stop();
    }
    if (this.tree.root.children.length || this.tree.setup) this.before = this.tree;
    this.tree = tree;
    this.view = null;
    this.draft = null;
    this.#show();
  }

  /** Go back to the tree before this one. */
  bringBack(): void {
    const { before } = this;
    this.before = null;
    if (before) this.load(before);
  }

  /** Begin with the game that is shown, as `describe` says: a tree with the same moves by others is not it. */
  begin(names: Record<Side, string>, end: End | null): void {
    const { headers } = this.tree;
    const isOfOthers = (["black", "white"] as const).some((side) => headers[side] && headers[side] !== names[side]);
    const { game, moves, setup } = this.tree.position();
    if (isOfOthers) this.load(Tree.fromMoves(game, moves, setup));
    this.describe(names, end);
  }

  /** Say who played, and how it ended if not on the board; what the tree says already stands. */
  describe(names: Record<Side, string>, end: End | null): void {
    const { tree } = this;
    const known = Object.entries(names).filter(([, name]) => name);
    tree.headers = { ...Object.fromEntries(known), ...tree.headers };
    const { winner, reason = "" } = end ?? {};
    if (tree.result === UNKNOWN && end && !ON_BOARD.includes(reason)) {
      tree.result = (winner ?? "draw") + (BESIDE[reason] ? ` by ${BESIDE[reason]}` : "");
    }
    this.#save();
  }

  /** Set stones by hand; null ends that, and nothing has changed. */
  edit(draft: Draft | null): void {
    const [begins, ends] = [draft && !this.draft, !draft && this.draft];
    if (begins) {
      this.#wasOnBeforeEdit = this.on || this.#wasOnBeforeReview;
      this.turn(false);
    }
    this.draft = draft;
    if (ends && this.#wasOnBeforeEdit) this.turn(true);
    this.#notify();
  }

  /** Look at the stones that were set. */
  finishEdit(): void {
    const { draft, view } = this;
    if (!draft?.toMove) return;
    const isAsBefore = view?.game === draft.game && view.cells === draft.cells && view.to_move === draft.toMove;
    if (isAsBefore) this.edit(null);
    else {
      this.load(new Tree(draft.game, setupOfDraft(draft)));
      if (this.#wasOnBeforeEdit) this.turn(true);
    }
  }

  go(node: TreeNode): void {
    if (node !== this.tree.current) this.draft = null;
    this.tree.current = node;
    this.#show();
  }

  step(by: number): void {
    let node = this.tree.current;
    for (let i = 0; i < Math.abs(by); i++) {
      const next: TreeNode | null | undefined = by < 0 ? node.parent : node.children[0];
      if (!next) break;
      node = next;
    }
    if (node !== this.tree.current) this.go(node);
  }

  /** Play moves from here; those that are not in the tree yet become a variation. */
  play(...moves: string[]): void {
    for (const move of moves) this.tree.play(move);
    this.#show();
  }

  /** Cut a node and all after it; the tree as it was can be brought back. */
  remove(node: TreeNode): void {
    if (!node.parent) return;
    this.before = this.tree.copy();
    this.tree.remove(node);
    this.#show();
  }

  promote(node: TreeNode): void {
    this.tree.promote(node);
    this.#save();
    this.#notify();
  }

  #save(): void {
    const { tree, player, lines, heat } = this;
    const on = this.on || this.#wasOnBeforeReview;
    keep(sessionStorage, KEY, { record: tree.record(), values: tree.values(), player, lines, heat, on } satisfies Kept);
  }

  #show(): void {
    const node = this.tree.current;
    this.#save();
    this.#notify();
    if (this.connection.status.value !== "open") return; // it is shown when there is one
    this.look(this.tree.position(node)).then(
      (view) => {
        if (this.tree.current !== node) return;
        this.#call(view.game);
        this.view = view;
        this.#viewed = node;
        this.#judge(node, view);
        this.#notify();
        if (this.on) this.#think();
      },
      (reason: Error) => this.#refused(node, reason),
    );
  }

  /** What is known of a game, such as who plays it, goes by the server's name for it. */
  #call(name: string): void {
    const { tree } = this;
    if (tree.game === name) return;
    this.#names.set(tree.game, name);
    tree.game = name;
    this.#save();
  }

  #judge(node: TreeNode, view: View): void {
    const { outcome } = view;
    if (outcome) node.value = outcome.winner === null ? 0 : outcome.winner === "black" ? 1 : -1;
  }

  #refused(node: TreeNode, reason: Error): void {
    if (reason instanceof LostConnection || this.tree.current !== node) return;
    if (this.trouble.value !== reason.message) this.trouble.set(reason.message);
    // What the server refuses is not kept: back to the last move that it knows.
    if (node.parent) this.tree.remove(node);
    else this.tree = new Tree("gomoku");
    this.#show();
  }

  /** A position as the server sees it; rejects with what is wrong with it. */
  look(position: PositionRef): Promise<View> {
    return this.positions.look(position);
  }

  /** Where moves from here lead; null if they cannot be played. */
  after(moves: string[]): Promise<View | null> {
    const { moves: played, ...start } = this.tree.position();
    return this.look({ ...start, moves: [...played, ...moves] }).catch(() => null);
  }

  #hear(message: ServerMessage): void {
    if (message.type === "error" && message.do === "analyze") {
      this.#thinkingFailed(explain(message));
    } else if (message.type === "analysis") this.#learn(message);
    else if (message.type === "queued" && message.id === this.#thinking?.id) {
      this.#thinking.isQueued = true;
      this.#notify();
    }
  }

  // --- analysis ---

  turn(on: boolean): void {
    if (this.review) this.#endReview();
    this.on = on;
    if (on) this.#think();
    else this.#stop();
    this.#notify();
  }

  /** Show another kind of mark. */
  mark(heat: string): void {
    this.heat = heat;
    this.#save();
    this.#notify();
  }

  use(part: { player?: string; lines?: number }): void {
    Object.assign(this, part);
    this.analysis = null;
    this.#save();
    if (this.on && !this.review) this.#think();
    this.#notify();
  }

  #stop(): void {
    this.#thinking = null;
    this.connection.send({ do: "stop" });
  }

  #think(): void {
    if (this.review) return;
    if (this.view?.outcome) {
      this.#stop();
      this.analysis = null;
      this.#notify();
      return;
    }
    this.#ask(this.tree.current, LIVE_SECONDS);
  }

  #ask(node: TreeNode, seconds: number): void {
    const id = ++this.#count;
    this.#thinking = { id, node, isQueued: false };
    const position = this.tree.position(node);
    const player = this.review ? this.#reviewer : this.engine;
    this.connection.send({ do: "analyze", position, player, lines: this.lines, seconds, id });
  }

  /** Ratings that only compare moves do not say who is ahead: then the strongest reviews. */
  get #reviewer(): string {
    return this.engine === "evolved" ? this.kinds[0] : this.engine;
  }

  #thinkingFailed(reason: string): void {
    if (this.review) {
      this.#reviewed();
      return;
    }
    this.on = false;
    this.#thinking = null;
    this.trouble.set(reason);
    this.#notify();
  }

  #learn(analysis: Analysis): void {
    if (analysis.id !== this.#thinking?.id) return;
    this.#thinking.isQueued = false;
    const { node } = this.#thinking;
    const best = analysis.lines[0];
    const value = best ? valueForBlack(best, analysis.to_move) : null;
    if (value !== null) node.value = value;
    if (node === this.tree.current) [this.analysis, this.#analysed] = [analysis, node];
    if (analysis.done && this.review) this.#reviewed();
    this.#notify();
  }

  /**
   * Why it does not think about the position that is shown: the server has no place for it yet, others were waiting for
   * its place, or its time is over; for who has left the page on does not want it to think for ever.
   */
  get rests(): "queued" | "gave_way" | "rests" | null {
    if (this.#thinking?.isQueued) return "queued";
    const { current } = this;
    if (!this.on || !current?.done) return null;
    if (current.gave_way) return "gave_way";
    return current.seconds > 0.9 * LIVE_SECONDS ? "rests" : null;
  }

  /** Go on where it rests; the player has kept what it found. */
  goOn(): void {
    if (this.rests && this.rests !== "queued") this.#think();
  }

  /** The analysis of the position that is shown, if there is one. */
  get current(): Analysis | null {
    const { analysis, tree } = this;
    if (!analysis || this.#analysed !== tree.current || this.#viewed !== tree.current) return null;
    return this.on || this.review !== null || analysis.done ? analysis : null;
  }

  // --- the whole game ---

  /** A short look at every position of the line, for the graph; analysis waits until it has ended. */
  startReview(): void {
    this.#queue = [this.tree.root, ...this.tree.line()];
    this.review = { done: 0, total: this.#queue.length };
    this.#wasOnBeforeReview ||= this.on;
    this.on = false;
    this.#reviewNext();
    this.#notify();
  }

  stopReview(): void {
    if (!this.review) return;
    this.#endReview();
    if (this.on) this.#think();
    else this.#stop();
    this.#notify();
  }

  #endReview(): void {
    this.on = this.#wasOnBeforeReview;
    this.#wasOnBeforeReview = false;
    this.review = null;
    this.#queue = [];
  }

  #reviewNext(): void {
    const [node, ...later] = this.#queue;
    if (!node) this.stopReview();
    else if (later.length) this.#ask(node, REVIEW_SECONDS);
    else this.#reviewLast(node);
  }

  #reviewed(): void {
    if (!this.review) return;
    this.review.done++;
    this.#queue.shift();
    this.#reviewNext();
    this.#notify();
  }

  /** The game may be over there. */
  #reviewLast(node: TreeNode): void {
    this.look(this.tree.position(node)).then(
      (view) => {
        if (this.#queue[0] !== node) return;
        this.#judge(node, view);
        if (view.outcome) this.#reviewed();
        else this.#ask(node, REVIEW_SECONDS);
      },
      (reason: Error) => reason instanceof LostConnection || this.stopReview(),
    );
  }

  get kind(): "gomoku" | "othello" {
    return partsOf(this.tree.game).kind;
  }
}
