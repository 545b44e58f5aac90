import { setupOfDraft } from "./draft.js";
import { partsOf } from "./moves.js";
import { addressOf, placeOf } from "./place.js";
import { LostConnection } from "./positions.js";
import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";
import { Tree, UNKNOWN } from "./tree.js";
import { explain } from "./troubles.js";
const KEY = "tengen.study";
const ON_BOARD = ["line", "board_full", "no_moves"];
const BESIDE = { resignation: "resignation", time: "time", timeout: "time", agreement: "agreement", foul: "foul" };
const LIVE_SECONDS = 60;
const REVIEW_SECONDS = 0.4;
function keptTree(found) {
    try {
        const tree = Tree.fromRecord(found.record);
        partsOf(tree.game);
        addressOf({ ...tree.position(), setup: tree.setup });
        tree.setValues(found?.values ?? []);
        return tree;
    }
    catch {
        return null;
    }
}
export function valueForBlack(line, toMove) {
    const value = line.proof === "won" ? 1 : line.proof === "lost" ? -1 : line.value;
    return value === null ? null : toMove === "black" ? value : -value;
}
export class Study {
    connection;
    positions;
    tree = new Tree("gomoku");
    view = null;
    analysis = null;
    on = false;
    player = null;
    kinds = ["alphabeta"];
    lines = 3;
    heat = "lines";
    review = null;
    draft = null;
    changed = new Signal(0);
    trouble = new Signal("");
    before = null;
    #wasOn = false;
    #wasOnBeforeEdit = false;
    #wasOnBeforeReview = false;
    #count = 0;
    #thinking = null;
    #viewed = null;
    #analysed = null;
    #queue = [];
    #names = new Map();
    constructor(connection, positions) {
        this.connection = connection;
        this.positions = positions;
        const found = kept(sessionStorage, KEY);
        const tree = keptTree(found);
        if (found && tree) {
            this.tree = tree;
            if (typeof found.player === "string")
                this.player = found.player;
            if (typeof found.lines === "number")
                this.lines = found.lines;
            if (typeof found.heat === "string")
                this.heat = found.heat;
            this.#wasOn = found.on === true;
        }
        addEventListener("pagehide", () => this.#save());
        connection.listen((message) => this.#hear(message));
        connection.status.listen((status) => {
            if (status === "open") {
                this.#show();
                if (this.review)
                    this.#reviewNext();
            }
            else
                this.#lose();
        });
    }
    get engine() {
        if (this.player && this.kinds.includes(this.player))
            return this.player;
        return this.kinds[0] ?? "alphabeta";
    }
    know(kinds) {
        const { engine } = this;
        this.kinds = kinds;
        if (this.on && this.view && this.engine !== engine)
            this.#think();
    }
    #notify() {
        this.changed.set(this.changed.value + 1);
    }
    #lose() {
        this.#thinking = null;
        this.#notify();
    }
    get address() {
        return addressOf({ ...this.tree.position(), setup: this.tree.setup });
    }
    visit(address) {
        this.on ||= this.#wasOn;
        this.#wasOn = false;
        const place = placeOf(address);
        if (!place) {
            this.#show();
            return;
        }
        place.game = this.#names.get(place.game) ?? place.game;
        const node = this.#find(place);
        if (node)
            this.go(node);
        else
            this.load(Tree.fromMoves(place.game, place.moves, place.setup));
    }
    #find(place) {
        const same = place.game === this.tree.game && JSON.stringify(place.setup) === JSON.stringify(this.tree.setup);
        let node = same ? this.tree.root : undefined;
        for (const move of place.moves)
            node = node?.children.find((child) => child.move === move);
        return node ?? null;
    }
    load(tree) {
        if (this.review) {
            this.#endReview();
            this.#stop();
        }
        if (this.tree.root.children.length || this.tree.setup)
            this.before = this.tree;
        this.tree = tree;
        this.view = null;
        this.draft = null;
        this.#show();
    }
    bringBack() {
        const { before } = this;
        this.before = null;
        if (before)
            this.load(before);
    }
    begin(names, end) {
        const { headers } = this.tree;
        const isOfOthers = ["black", "white"].some((side) => headers[side] && headers[side] !== names[side]);
        const { game, moves, setup } = this.tree.position();
        if (isOfOthers)
            this.load(Tree.fromMoves(game, moves, setup));
        this.describe(names, end);
    }
    describe(names, end) {
        const { tree } = this;
        const known = Object.entries(names).filter(([, name]) => name);
        tree.headers = { ...Object.fromEntries(known), ...tree.headers };
        const { winner, reason = "" } = end ?? {};
        if (tree.result === UNKNOWN && end && !ON_BOARD.includes(reason)) {
            tree.result = (winner ?? "draw") + (BESIDE[reason] ? ` by ${BESIDE[reason]}` : "");
        }
        this.#save();
    }
    edit(draft) {
        const [begins, ends] = [draft && !this.draft, !draft && this.draft];
        if (begins) {
            this.#wasOnBeforeEdit = this.on || this.#wasOnBeforeReview;
            this.turn(false);
        }
        this.draft = draft;
        if (ends && this.#wasOnBeforeEdit)
            this.turn(true);
        this.#notify();
    }
    finishEdit() {
        const { draft, view } = this;
        if (!draft?.toMove)
            return;
        const isAsBefore = view?.game === draft.game && view.cells === draft.cells && view.to_move === draft.toMove;
        if (isAsBefore)
            this.edit(null);
        else {
            this.load(new Tree(draft.game, setupOfDraft(draft)));
            if (this.#wasOnBeforeEdit)
                this.turn(true);
        }
    }
    go(node) {
        if (node !== this.tree.current)
            this.draft = null;
        this.tree.current = node;
        this.#show();
    }
    step(by) {
        let node = this.tree.current;
        for (let i = 0; i < Math.abs(by); i++) {
            const next = by < 0 ? node.parent : node.children[0];
            if (!next)
                break;
            node = next;
        }
        if (node !== this.tree.current)
            this.go(node);
    }
    play(...moves) {
        for (const move of moves)
            this.tree.play(move);
        this.#show();
    }
    remove(node) {
        if (!node.parent)
            return;
        this.before = this.tree.copy();
        this.tree.remove(node);
        this.#show();
    }
    promote(node) {
        this.tree.promote(node);
        this.#save();
        this.#notify();
    }
    #save() {
        const { tree, player, lines, heat } = this;
        const on = this.on || this.#wasOnBeforeReview;
        keep(sessionStorage, KEY, { record: tree.record(), values: tree.values(), player, lines, heat, on });
    }
    #show() {
        const node = this.tree.current;
        this.#save();
        this.#notify();
        if (this.connection.status.value !== "open")
            return;
        this.look(this.tree.position(node)).then((view) => {
            if (this.tree.current !== node)
                return;
            this.#call(view.game);
            this.view = view;
            this.#viewed = node;
            this.#judge(node, view);
            this.#notify();
            if (this.on)
                this.#think();
        }, (reason) => this.#refused(node, reason));
    }
    #call(name) {
        const { tree } = this;
        if (tree.game === name)
            return;
        this.#names.set(tree.game, name);
        tree.game = name;
        this.#save();
    }
    #judge(node, view) {
        const { outcome } = view;
        if (outcome)
            node.value = outcome.winner === null ? 0 : outcome.winner === "black" ? 1 : -1;
    }
    #refused(node, reason) {
        if (reason instanceof LostConnection || this.tree.current !== node)
            return;
        if (this.trouble.value !== reason.message)
            this.trouble.set(reason.message);
        if (node.parent)
            this.tree.remove(node);
        else
            this.tree = new Tree("gomoku");
        this.#show();
    }
    look(position) {
        return this.positions.look(position);
    }
    after(moves) {
        const { moves: played, ...start } = this.tree.position();
        return this.look({ ...start, moves: [...played, ...moves] }).catch(() => null);
    }
    #hear(message) {
        if (message.type === "error" && message.do === "analyze") {
            this.#thinkingFailed(explain(message));
        }
        else if (message.type === "analysis")
            this.#learn(message);
        else if (message.type === "queued" && message.id === this.#thinking?.id) {
            this.#thinking.isQueued = true;
            this.#notify();
        }
    }
    turn(on) {
        if (this.review)
            this.#endReview();
        this.on = on;
        if (on)
            this.#think();
        else
            this.#stop();
        this.#notify();
    }
    mark(heat) {
        this.heat = heat;
        this.#save();
        this.#notify();
    }
    use(part) {
        Object.assign(this, part);
        this.analysis = null;
        this.#save();
        if (this.on && !this.review)
            this.#think();
        this.#notify();
    }
    #stop() {
        this.#thinking = null;
        this.connection.send({ do: "stop" });
    }
    #think() {
        if (this.review)
            return;
        if (this.view?.outcome) {
            this.#stop();
            this.analysis = null;
            this.#notify();
            return;
        }
        this.#ask(this.tree.current, LIVE_SECONDS);
    }
    #ask(node, seconds) {
        const id = ++this.#count;
        this.#thinking = { id, node, isQueued: false };
        const position = this.tree.position(node);
        const player = this.review ? this.#reviewer : this.engine;
        this.connection.send({ do: "analyze", position, player, lines: this.lines, seconds, id });
    }
    get #reviewer() {
        return this.engine === "evolved" ? this.kinds[0] : this.engine;
    }
    #thinkingFailed(reason) {
        if (this.review) {
            this.#reviewed();
            return;
        }
        this.on = false;
        this.#thinking = null;
        this.trouble.set(reason);
        this.#notify();
    }
    #learn(analysis) {
        if (analysis.id !== this.#thinking?.id)
            return;
        this.#thinking.isQueued = false;
        const { node } = this.#thinking;
        const best = analysis.lines[0];
        const value = best ? valueForBlack(best, analysis.to_move) : null;
        if (value !== null)
            node.value = value;
        if (node === this.tree.current)
            [this.analysis, this.#analysed] = [analysis, node];
        if (analysis.done && this.review)
            this.#reviewed();
        this.#notify();
    }
    get rests() {
        if (this.#thinking?.isQueued)
            return "queued";
        const { current } = this;
        if (!this.on || !current?.done)
            return null;
        if (current.gave_way)
            return "gave_way";
        return current.seconds > 0.9 * LIVE_SECONDS ? "rests" : null;
    }
    goOn() {
        if (this.rests && this.rests !== "queued")
            this.#think();
    }
    get current() {
        const { analysis, tree } = this;
        if (!analysis || this.#analysed !== tree.current || this.#viewed !== tree.current)
            return null;
        return this.on || this.review !== null || analysis.done ? analysis : null;
    }
    startReview() {
        this.#queue = [this.tree.root, ...this.tree.line()];
        this.review = { done: 0, total: this.#queue.length };
        this.#wasOnBeforeReview ||= this.on;
        this.on = false;
        this.#reviewNext();
        this.#notify();
    }
    stopReview() {
        if (!this.review)
            return;
        this.#endReview();
        if (this.on)
            this.#think();
        else
            this.#stop();
        this.#notify();
    }
    #endReview() {
        this.on = this.#wasOnBeforeReview;
        this.#wasOnBeforeReview = false;
        this.review = null;
        this.#queue = [];
    }
    #reviewNext() {
        const [node, ...later] = this.#queue;
        if (!node)
            this.stopReview();
        else if (later.length)
            this.#ask(node, REVIEW_SECONDS);
        else
            this.#reviewLast(node);
    }
    #reviewed() {
        if (!this.review)
            return;
        this.review.done++;
        this.#queue.shift();
        this.#reviewNext();
        this.#notify();
    }
    #reviewLast(node) {
        this.look(this.tree.position(node)).then((view) => {
            if (this.#queue[0] !== node)
                return;
            this.#judge(node, view);
            if (view.outcome)
                this.#reviewed();
            else
                this.#ask(node, REVIEW_SECONDS);
        }, (reason) => reason instanceof LostConnection || this.stopReview());
    }
    get kind() {
        return partsOf(this.tree.game).kind;
    }
}
