import type { ContentOutcome, ContentValue } from "../records/operation.js";

/** Consecutive contents of an operation. */
export interface PartContents {
  /** Index of the first content in the operation. */
  first: number;
  contents: readonly ContentValue[];
}

/** How contents of one kind are analysed, a part at a time. */
export interface PartAnalysis {
  /** One outcome per content, in order; `onContent` is awaited as contents are done. */
  analyse(part: PartContents, onContent: (count: number) => Promise<void>): Promise<ContentOutcome[]>;
  /** The text that each content of a part adds to its groups; empty: none. */
  groupTexts(contents: readonly ContentValue[], outcomes: readonly ContentOutcome[]): string[];
}
