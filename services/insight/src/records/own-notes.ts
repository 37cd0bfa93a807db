import type { Json } from "@hourglass/runtime";

/** Entries of `more_info` that the product writes. Imports do not take them over, so that nobody else's look like ours. */
export const OWN_NOTES = ["errors", "posted_in_the_future", "spam", "text_analysed_to", "text_cut_at"] as const;

/** Notes of the product on a posting. */
export type OwnNotes = Partial<Record<(typeof OWN_NOTES)[number], Json>>;
