/** Every step of a posting's life at which a crash must neither lose it nor store or analyse it twice. */
export const POSTING_FAILPOINTS: readonly string[] = [
  "insight.before_store",
  "insight.after_store",
  "insight.after_import_page",
  "insight.before_results",
  "insight.after_results",
  "insight.after_tombstone",
  "insight.after_batches",
  "insight.mid_erasure",
  "insight.after_erasure",
  "insight.mid_deletion",
];
