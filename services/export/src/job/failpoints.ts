import { jobFailpoints } from "@hourglass/runtime";
import { EXPORT } from "../records/export.js";

/** Every step of an export's life at which a crash must neither lose it nor show a part of it. */
export const EXPORT_FAILPOINTS: readonly string[] = [
  ...jobFailpoints(EXPORT),
  "export.after_file_set",
  "export.mid_render",
  "export.after_render",
  "export.mid_delete",
  "export.after_files_removed",
  "export.before_revision",
  "export.after_revision",
  "export.after_followed",
];
