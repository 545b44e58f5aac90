/** A tree of variations: moves only, no drawing and no rules. The first child of a node is its main line. */

import type { PositionRef, RecordGame, RecordNode, Setup } from "./protocol.js";

/** The result of a record that tells none. */
export const UNKNOWN = "unknown";

export interface TreeNode {
  readonly id: number;
  readonly move: string;
  readonly parent: TreeNode | null;
  readonly ply: number;
  children: TreeNode[];
  comment: string;
  /** What analysis said of the position after the move, for black from -1 to 1. */
  value: number | null;
}

export class Tree {
  readonly root: TreeNode;
  current: TreeNode;
  /** Changes whenever the tree does; where one stands in it does not matter. */
  version = 0;
  #count = 0;

  constructor(
    /** A name of it; the server's own, once that is known. */
    public game: string,
    readonly setup: Setup | null = null,
    public headers: Record<string, string> = {},
    public result = UNKNOWN,
  ) {
    this.root = this.#make("", null);
    this.current = this.root;
  }

  /** A record, as the server reads it; the end of its main line is current. */
  static fromRecord(record: RecordGame): Tree {
    const tree = new Tree(record.game, record.setup, record.headers ?? {}, record.result);
    tree.root.comment = record.comment ?? "";
    const made: TreeNode[] = [];
    for (const { parent, move, comment } of record.nodes) {
      const node = tree.#grow(parent < 0 ? tree.root : made[parent], move);
      node.comment = comment;
      made.push(node);
    }
    tree.current = tree.mainLine().at(-1) ?? tree.root;
    return tree;
  }

  static fromMoves(game: string, moves: readonly string[], setup: Setup | null = null): Tree {
    const tree = new Tree(game, setup);
    for (const move of moves) tree.current = tree.#grow(tree.current, move);
    return tree;
  }

  #make(move: string, parent: TreeNode | null): TreeNode {
    return { id: this.#count++, move, parent, ply: parent ? parent.ply + 1 : 0, children: [], comment: "", value: null };
  }

  #grow(parent: TreeNode, move: string): TreeNode {
    const found = parent.children.find((child) => child.move === move);
    if (found) return found;
    const node = this.#make(move, parent);
    parent.children.push(node);
    this.version++;
    return node;
  }

  /** Go on from the current node; a move that is there already is not made twice. */
  play(move: string): TreeNode {
    this.current = this.#grow(this.current, move);
    return this.current;
  }

  /** From the root (without it) to a node. */
  path(node: TreeNode = this.current): TreeNode[] {
    const nodes = [];
    for (let each: TreeNode | null = node; each?.parent; each = each.parent) nodes.push(each);
    return nodes.reverse();
  }

  /** Through the current node, then on by the main line to its end; without the root. */
  line(): TreeNode[] {
    const nodes = this.path();
    for (let next = this.current.children[0]; next; next = next.children[0]) nodes.push(next);
    return nodes;
  }

  mainLine(): TreeNode[] {
    const nodes = [];
    for (let next = this.root.children[0]; next; next = next.children[0]) nodes.push(next);
    return nodes;
  }

  position(node: TreeNode = this.current): PositionRef {
    const moves = this.path(node).map((each) => each.move);
    return this.setup ? { game: this.game, moves, setup: this.setup } : { game: this.game, moves };
  }

  /** Cut a node and all after it; the current node, if cut, falls back to the parent. */
  remove(node: TreeNode): void {
    if (!node.parent) return;
    this.version++;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (this.path().includes(node)) this.current = node.parent;
  }

  /** Make the variation that a node belongs to the main line. */
  promote(node: TreeNode): void {
    this.version++;
    for (let each = node; each.parent; each = each.parent) {
      const siblings = each.parent.children;
      each.parent.children = [each, ...siblings.filter((sibling) => sibling !== each)];
    }
  }

  /** As the server reads and writes records. */
  record(): RecordGame {
    const { game, setup, headers, result } = this;
    return { game, setup, headers, result, comment: this.root.comment, nodes: this.nodes() };
  }

  /** Another tree like it, where one stands included. */
  copy(): Tree {
    const tree = Tree.fromRecord(this.record());
    tree.setValues(this.values());
    tree.current = tree.#all()[this.#all().indexOf(this.current)];
    return tree;
  }

  /** Parents before children, main lines first; the root is not among them. */
  nodes(): RecordNode[] {
    const all = this.#all();
    const numbers = new Map(all.map((node, i) => [node, i - 1]));
    return all.slice(1).map((node) => ({ parent: numbers.get(node.parent as TreeNode) ?? -1, move: node.move, comment: node.comment }));
  }

  /** What analysis said of the root and of each node of `nodes`. */
  values(): (number | null)[] {
    return this.#all().map(({ value }) => value);
  }

  setValues(values: readonly unknown[]): void {
    this.#all().forEach((node, i) => {
      const value = values[i];
      node.value = typeof value === "number" ? value : null;
    });
  }

  #all(): TreeNode[] {
    const all: TreeNode[] = [];
    const stack = [this.root];
    for (let node = stack.pop(); node; node = stack.pop()) {
      all.push(node);
      stack.push(...[...node.children].reverse());
    }
    return all;
  }
}
