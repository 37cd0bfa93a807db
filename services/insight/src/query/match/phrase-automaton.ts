/** State before any word of a phrase. */
export const START = 0;

/**
 * Finds all phrases of a query in one pass over the words of a text (Aho and Corasick). A word is its number in the
 * query's vocabulary, from 0; the state after a word outside the vocabulary is `START`.
 */
export class PhraseAutomaton {
  /** One state for each beginning of a phrase, and `START`. */
  readonly stateCount: number;
  readonly #vocabularySize: number;
  readonly #next: Uint16Array;
  /** States whose phrase ends with a shorter one, longest first, each followed by the state of that. */
  readonly #suffixes: readonly number[];

  constructor(phrases: Phrases, vocabularySize: number) {
    this.stateCount = phrases.children.length;
    this.#vocabularySize = vocabularySize;
    const { next, suffixes } = connect(phrases, vocabularySize);
    this.#next = next;
    this.#suffixes = suffixes;
  }

  /** The state after one more word. */
  step(state: number, word: number): number {
    return this.#next[state * this.#vocabularySize + word]!;
  }

  /** Given the states that were reached, marks the states of all phrases that occurred. */
  markSuffixes(reached: Uint8Array): void {
    for (let i = 0; i < this.#suffixes.length; i += 2) {
      if (reached[this.#suffixes[i]!] === 1) reached[this.#suffixes[i + 1]!] = 1;
    }
  }
}

/** The phrases of a query as a tree whose nodes are the states. */
export class Phrases {
  readonly children: Map<number, number>[] = [new Map<number, number>()];

  /** Adds a phrase and gives the state that is reached where it ends. */
  add(words: readonly number[]): number {
    return words.reduce((state, word) => this.#child(state, word), START);
  }

  #child(state: number, word: number): number {
    const known = this.children[state]?.get(word);
    if (known !== undefined) return known;
    const added = this.children.push(new Map()) - 1;
    this.children[state]?.set(word, added);
    return added;
  }
}

/** Fills in, for each state and word, the longest beginning of a phrase that the text then ends with. */
function connect({ children }: Phrases, vocabularySize: number): { next: Uint16Array; suffixes: number[] } {
  const next = new Uint16Array(children.length * vocabularySize);
  const suffixOf = new Uint16Array(children.length);
  const suffixes: number[] = [];
  // Breadth first: the suffix of a state is shorter, so it is complete before the state.
  const queue = [START];
  for (const state of queue) {
    const suffix = suffixOf[state]!;
    if (suffix !== START) suffixes.unshift(state, suffix);
    if (state !== START)
      next.copyWithin(state * vocabularySize, suffix * vocabularySize, (suffix + 1) * vocabularySize);
    for (const [word, child] of children[state] ?? []) {
      suffixOf[child] = state === START ? START : next[suffix * vocabularySize + word]!;
      next[state * vocabularySize + word] = child;
      queue.push(child);
    }
  }
  return { next, suffixes };
}
