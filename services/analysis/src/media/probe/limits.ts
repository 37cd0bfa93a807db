import { type Values, variable } from "@hourglass/runtime";

/** Limits of uploaded and fetched files, which both Media and the analyses enforce. */
export const FILE_LIMIT_VARIABLES = {
  /** Maximum number of pixels of a picture, and of a frame of a video. */
  MAX_IMAGE_PIXELS: variable.integer(1, 268_435_456, 40_000_000),
  /** Maximum duration of sound and video, in seconds. */
  MAX_MEDIA_SECONDS: variable.integer(1, 86_400, 900),
} as const;

/** The program that decodes sound and video. */
export const DECODER_VARIABLES = {
  /** The ffmpeg program; if unset, the one on the PATH or the one that npm installed. */
  FFMPEG_PATH: variable.text().optional(),
} as const;

export interface FileLimits {
  imagePixelsMax: number;
  durationMsMax: number;
}

/** The limits set by the variables. */
export function toFileLimits(values: Values<typeof FILE_LIMIT_VARIABLES>): FileLimits {
  return { imagePixelsMax: values.MAX_IMAGE_PIXELS, durationMsMax: values.MAX_MEDIA_SECONDS * 1000 };
}
