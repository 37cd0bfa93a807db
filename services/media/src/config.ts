import { FILE_LIMIT_VARIABLES, toFileLimits } from "@hourglass/analysis/formats";
import { defineSettings, SHARED_LIMITS, variable, type ConfigOf } from "@hourglass/runtime";

/** The settings of Media. */
export const mediaSettings = defineSettings(
  {
    ...FILE_LIMIT_VARIABLES,
    MAX_UPLOAD_BYTES: SHARED_LIMITS.MAX_UPLOAD_BYTES,
    /** Files that no operation has used are deleted after this many days. */
    UNUSED_FILE_DAYS: variable.integer(1, 3650, 7),
  },
  (values) => ({
    uploadBytesMax: values.MAX_UPLOAD_BYTES,
    unusedFileDays: values.UNUSED_FILE_DAYS,
    limits: toFileLimits(values),
  }),
);

export type MediaConfig = ConfigOf<typeof mediaSettings>;
