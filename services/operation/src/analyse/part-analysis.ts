import type { ContentOutcome, ContentValue } from "../records/operation.js";

/** Some contents of an operation, one after the other. */
export interface PartContents {
  /** Index of the first of them in the operation. */
  first: number;
  contents: readonly ContentValue[];
}

/** How contents of one kind are analysed, a part at a time. */
export interface PartAnalysis {
  /** One outcome per content, in order; `onContent` is awaited as each is done. */
  analyse(part: PartContents, onContent: (count: number) => Promise<void>): Promise<ContentOutcome[]>;
  /** What each content of a part adds to the text of its groups; empty: nothing. */
  groupTexts(contents: readonly ContentValue[], outcomes: readonly ContentOutcome[]): string[];
}
