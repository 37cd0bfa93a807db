import type { CodeUnits } from "../words/code-units.js";

interface Node {
  readonly children: Map<number, Node>;
  /** Slot of the prefix that ends here. */
  slot: number | undefined;
}

/** Finds all prefixes of a word by reading it once, no further than the longest prefix. */
export class PrefixTree {
  readonly #root: Node = { children: new Map(), slot: undefined };

  add(prefix: string, slot: number): void {
    let node = this.#root;
    for (let i = 0; i < prefix.length; i += 1) {
      const unit = prefix.charCodeAt(i);
      let child = node.children.get(unit);
      if (child === undefined) node.children.set(unit, (child = { children: new Map(), slot: undefined }));
      node = child;
    }
    node.slot = slot;
  }

  /** Marks the slots of the prefixes of the word from `start` to `end`; returns whether there was one. */
  mark(text: CodeUnits, range: { start: number; end: number }, present: Uint8Array): boolean {
    let found = false;
    let node: Node | undefined = this.#root;
    for (let index = range.start; index < range.end; index += 1) {
      node = node.children.get(text.charCodeAt(index));
      if (node === undefined) break;
      if (node.slot === undefined) continue;
      present[node.slot] = 1;
      found = true;
    }
    return found;
  }
}
