import type { PostingDraft } from "../../platforms/posting-draft.js";

const MINUTE = 60_000;

/** A posting with this number; it matches the keywords of a test's insight. */
export function draft(number: number, values: Partial<PostingDraft> = {}): PostingDraft {
  const postedAt = Date.UTC(2026, 9, 31) + number * MINUTE;
  return { socialId: `s${number}`, postedAt, text: `A kestrel, number ${number}`, ...values };
}

export function drafts(...numbers: number[]): PostingDraft[] {
  return numbers.map((number) => draft(number));
}
