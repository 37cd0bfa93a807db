import type { InsightRecord } from "./records.js";

/** What lists of insights are sorted by, as the interface names it, and the field that has it. */
export const SORT_FIELDS = {
  created_at: "id",
  name: "sortName",
  activity: "activeAt",
  postings: "postings",
} as const satisfies Readonly<Record<string, keyof InsightRecord>>;

export type InsightSort = keyof typeof SORT_FIELDS;
