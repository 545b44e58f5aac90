import { partsOf } from "./moves.js";
import { addressOf, placeOf } from "./place.js";
import { keep, kept } from "./settings.js";
import { Signal } from "./signal.js";
import { Tree } from "./tree.js";
import { explain } from "./troubles.js";
import { t } from "./words.js";
const KEY = "tengen.study";
const LIVE_SECONDS = 60;
const REVIEW_SECONDS = 0.4;
export function valueForBlack(line, toMove) {
    const value = line.proof === "won" ? 1 : line.proof === "lost" ? -1 : line.value;
    return value === null ? null : toMove === "black" ? value : -value;
}
export class Study {
    connection;
    tree = new Tree("gomoku");
    view = null;
    analysis = null;
    on = false;
    player = null;
    kinds = ["alphabeta"];
    lines = 3;
    review = null;
    changed = new Signal(0);
    trouble = new Signal("");
    #asked = [];
    #count = 0;
    #thinking = null;
    #queue = [];
    constructor(connection) {
        this.connection = connection;
        const found = kept(sessionStorage, KEY);
        if (found?.record?.nodes) {
            this.tree = Tree.fromRecord(found.record);
            this.player = found.player;
            this.lines = found.lines;
        }
        connection.listen((message) => this.#hear(message));
        connection.status.listen((status) => {
            if (status === "open")
                this.#show();
            else
                this.#lose();
        });
    }
    get engine() {
        if (this.player && this.kinds.includes(this.player))
            return this.player;
        return this.kinds.includes("alphazero") ? "alphazero" : (this.kinds[0] ?? "alphabeta");
    }
    #notify() {
        this.changed.set(this.changed.value + 1);
    }
    #lose() {
        for (const { failed } of this.#asked.splice(0))
            failed(new Error(t("lost_connection")));
        this.#thinking = null;
        this.review = null;
        this.#queue = [];
        this.#notify();
    }
    get address() {
        return addressOf({ ...this.tree.position(), setup: this.tree.setup });
    }
    visit(address) {
        const place = placeOf(address);
        if (!place) {
            this.#show();
            return;
        }
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
        this.stopReview();
        this.tree = tree;
        this.view = null;
        this.#show();
    }
    go(node) {
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
        this.tree.remove(node);
        this.#show();
    }
    promote(node) {
        this.tree.promote(node);
        this.#save();
        this.#notify();
    }
    #save() {
        const { game, setup, headers } = this.tree;
        const record = { game, setup, headers, result: "*", nodes: this.tree.nodes() };
        keep(sessionStorage, KEY, { record, player: this.player, lines: this.lines });
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
            this.view = view;
            this.#judge(node, view);
            this.#notify();
            if (this.on)
                this.#think();
        }, (reason) => this.#refused(node, reason));
    }
    #judge(node, view) {
        const { outcome } = view;
        if (outcome)
            node.value = outcome.winner === null ? 0 : outcome.winner === "black" ? 1 : -1;
    }
    #refused(node, reason) {
        if (this.connection.status.value !== "open" || this.tree.current !== node)
            return;
        this.trouble.set(reason.message);
        if (node.parent && this.view)
            this.tree.remove(node);
        else
            this.tree = new Tree("gomoku");
        this.#show();
    }
    look(position) {
        return new Promise((done, failed) => {
            const id = ++this.#count;
            if (this.connection.send({ do: "look", position, id }))
                this.#asked.push({ id, done, failed });
            else
                failed(new Error(t("lost_connection")));
        });
    }
    after(moves) {
        const { moves: played, ...start } = this.tree.position();
        return this.look({ ...start, moves: [...played, ...moves] }).catch(() => null);
    }
    #hear(message) {
        if (message.type === "view") {
            const at = this.#asked.findIndex(({ id }) => id === message.id);
            if (at >= 0)
                this.#asked.splice(at, 1)[0].done(message);
        }
        else if (message.type === "error" && message.do === "look") {
            this.#asked.shift()?.failed(new Error(explain(message)));
        }
        else if (message.type === "error" && message.do === "analyze") {
            this.#thinkingFailed(explain(message));
        }
        else if (message.type === "analysis")
            this.#learn(message);
    }
    turn(on) {
        this.stopReview();
        this.on = on;
        if (on)
            this.#think();
        else
            this.#stop();
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
        this.#thinking = { id, node };
        const position = this.tree.position(node);
        this.connection.send({ do: "analyze", position, player: this.engine, lines: this.lines, seconds, id });
    }
    #thinkingFailed(reason) {
        if (this.review) {
            this.#reviewNext();
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
        const { node } = this.#thinking;
        const best = analysis.lines[0];
        const value = best ? valueForBlack(best, analysis.to_move) : null;
        if (value !== null)
            node.value = value;
        if (node === this.tree.current)
            this.analysis = analysis;
        if (analysis.done && this.review)
            this.#reviewNext();
        this.#notify();
    }
    get current() {
        const { analysis } = this;
        if (!analysis || !this.view)
            return null;
        const same = analysis.game === this.view.game && analysis.moves.join() === this.view.moves.join();
        return same && (this.on || this.review !== null || analysis.done) ? analysis : null;
    }
    startReview() {
        this.#queue = [this.tree.root, ...this.tree.line()];
        this.review = { done: -1, total: this.#queue.length };
        this.on = false;
        this.#reviewNext();
    }
    stopReview() {
        if (!this.review)
            return;
        this.review = null;
        this.#queue = [];
        this.#stop();
        this.#notify();
    }
    #reviewNext() {
        if (!this.review)
            return;
        const node = this.#queue.shift();
        this.review.done++;
        if (!node) {
            this.review = null;
            this.#thinking = null;
        }
        else if (this.#queue.length)
            this.#ask(node, REVIEW_SECONDS);
        else
            this.#reviewLast(node);
        this.#notify();
    }
    #reviewLast(node) {
        this.look(this.tree.position(node)).then((view) => {
            this.#judge(node, view);
            if (view.outcome)
                this.#reviewNext();
            else
                this.#ask(node, REVIEW_SECONDS);
        }, () => this.stopReview());
    }
    get kind() {
        return partsOf(this.tree.game).kind;
    }
}
