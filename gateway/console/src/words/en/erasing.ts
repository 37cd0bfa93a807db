import { count } from "../numbers.js";

/** Erasing postings for good. */
export const erasingWords = {
  posting: "Erase this posting",
  author: "Erase all postings of this author",
  postingHelp: "This posting will be erased.",
  authorHelp: (platform: string) => `All postings on ${platform} of this author will be erased:`,
  counting: "Counting …",
  inThisInsight: (total: string) => `${total} in this insight, and what your other insights have.`,
  notCounted: "They could not be counted.",
  consequences: [
    "What is erased goes from all insights of your company, at once and for good. There is no undo.",
    "Finished exports are made again without it, and say when they were revised.",
    "Later looks at the platform and imports skip it.",
    "Counts and series follow within a moment.",
  ],
  word: "erase",
  confirm: (word: string) => `Type ${word} to confirm`,
  typeFirst: "Type the word first.",
  erasePosting: "Erase it",
  eraseAuthor: "Erase all of them",
  done: (deleted: number) => `${count(deleted, "posting was", "postings were")} erased.`,
};
