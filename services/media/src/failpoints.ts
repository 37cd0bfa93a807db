/** Every step of a file's life at which a crash must neither lose it nor let it be used twice. */
export const MEDIA_FAILPOINTS = ["media.after_blob", "media.mid_claim", "media.mid_delete"] as const;
