import { DECODER_VARIABLES, FILE_LIMIT_VARIABLES, toFileLimits } from "@hourglass/analysis/formats";
import { defineSettings, SHARED_LIMITS, type ConfigOf } from "@hourglass/runtime";

/** The settings of Media. */
export const mediaSettings = defineSettings(
  {
    ...DECODER_VARIABLES,
    ...FILE_LIMIT_VARIABLES,
    MAX_UPLOAD_BYTES: SHARED_LIMITS.MAX_UPLOAD_BYTES,
    UNUSED_FILE_DAYS: SHARED_LIMITS.UNUSED_FILE_DAYS,
  },
  (values, { childEnvironment }) => ({
    uploadBytesMax: values.MAX_UPLOAD_BYTES,
    unusedFileDays: values.UNUSED_FILE_DAYS,
    limits: toFileLimits(values),
    previews: { ffmpegPath: values.FFMPEG_PATH, environment: { ...childEnvironment } },
  }),
);

export type MediaConfig = ConfigOf<typeof mediaSettings>;

/** How files are kept. */
export type FilesConfig = Omit<MediaConfig, "previews">;
