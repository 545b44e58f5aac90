export const UNKNOWN = "unknown";
export class Tree {
    game;
    setup;
    headers;
    result;
    root;
    current;
    version = 0;
    #count = 0;
    constructor(game, setup = null, headers = {}, result = UNKNOWN) {
        this.game = game;
        this.setup = setup;
        this.headers = headers;
        this.result = result;
        this.root = this.#make("", null);
        this.current = this.root;
    }
    static fromRecord(record) {
        const tree = new Tree(record.game, record.setup, record.headers ?? {}, record.result);
        tree.root.comment = record.comment ?? "";
        const made = [];
        for (const { parent, move, comment } of record.nodes) {
            const node = tree.#grow(parent < 0 ? tree.root : made[parent], move);
            node.comment = comment;
            made.push(node);
        }
        tree.current = tree.mainLine().at(-1) ?? tree.root;
        return tree;
    }
    static fromMoves(game, moves, setup = null) {
        const tree = new Tree(game, setup);
        for (const move of moves)
            tree.current = tree.#grow(tree.current, move);
        return tree;
    }
    #make(move, parent) {
        return { id: this.#count++, move, parent, ply: parent ? parent.ply + 1 : 0, children: [], comment: "", value: null };
    }
    #grow(parent, move) {
        const found = parent.children.find((child) => child.move === move);
        if (found)
            return found;
        const node = this.#make(move, parent);
        parent.children.push(node);
        this.version++;
        return node;
    }
    play(move) {
        this.current = this.#grow(this.current, move);
        return this.current;
    }
    path(node = this.current) {
        const nodes = [];
        for (let each = node; each?.parent; each = each.parent)
            nodes.push(each);
        return nodes.reverse();
    }
    line() {
        const nodes = this.path();
        for (let next = this.current.children[0]; next; next = next.children[0])
            nodes.push(next);
        return nodes;
    }
    mainLine() {
        const nodes = [];
        for (let next = this.root.children[0]; next; next = next.children[0])
            nodes.push(next);
        return nodes;
    }
    position(node = this.current) {
        const moves = this.path(node).map((each) => each.move);
        return this.setup ? { game: this.game, moves, setup: this.setup } : { game: this.game, moves };
    }
    remove(node) {
        if (!node.parent)
            return;
        this.version++;
        node.parent.children = node.parent.children.filter((child) => child !== node);
        if (this.path().includes(node))
            this.current = node.parent;
    }
    promote(node) {
        this.version++;
        for (let each = node; each.parent; each = each.parent) {
            const siblings = each.parent.children;
            each.parent.children = [each, ...siblings.filter((sibling) => sibling !== each)];
        }
    }
    record() {
        const { game, setup, headers, result } = this;
        return { game, setup, headers, result, comment: this.root.comment, nodes: this.nodes() };
    }
    copy() {
        const tree = Tree.fromRecord(this.record());
        tree.setValues(this.values());
        tree.current = tree.#all()[this.#all().indexOf(this.current)];
        return tree;
    }
    nodes() {
        const all = this.#all();
        const numbers = new Map(all.map((node, i) => [node, i - 1]));
        return all.slice(1).map((node) => ({ parent: numbers.get(node.parent) ?? -1, move: node.move, comment: node.comment }));
    }
    values() {
        return this.#all().map(({ value }) => value);
    }
    setValues(values) {
        this.#all().forEach((node, i) => {
            const value = values[i];
            node.value = typeof value === "number" ? value : null;
        });
    }
    #all() {
        const all = [];
        const stack = [this.root];
        for (let node = stack.pop(); node; node = stack.pop()) {
            all.push(node);
            stack.push(...[...node.children].reverse());
        }
        return all;
    }
}
