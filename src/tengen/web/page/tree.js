export class Tree {
    game;
    setup;
    headers;
    root;
    current;
    version = 0;
    #count = 0;
    constructor(game, setup = null, headers = {}) {
        this.game = game;
        this.setup = setup;
        this.headers = headers;
        this.root = this.#make("", null);
        this.current = this.root;
    }
    static fromRecord(record) {
        const tree = new Tree(record.game, record.setup, record.headers);
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
    nodes() {
        const flat = [];
        const stack = this.root.children.map((child) => [child, -1]).reverse();
        while (stack.length) {
            const [node, parent] = stack.pop();
            flat.push({ parent, move: node.move, comment: node.comment });
            const number = flat.length - 1;
            for (const child of [...node.children].reverse())
                stack.push([child, number]);
        }
        return flat;
    }
}
