import { variable, type Values } from "@hourglass/runtime";

/** How large files may be, uploaded or fetched; both Media and the analyses hold files to it. */
export const FILE_LIMIT_VARIABLES = {
  /** Pixels of a picture, and of a frame of a video, at most. */
  MAX_IMAGE_PIXELS: variable.integer(1, 268_435_456, 40_000_000),
  /** Length of sound and video at most. */
  MAX_MEDIA_SECONDS: variable.integer(1, 86_400, 900),
} as const;

export interface FileLimits {
  imagePixelsMax: number;
  durationMsMax: number;
}

/** The limits that the variables say. */
export function toFileLimits(values: Values<typeof FILE_LIMIT_VARIABLES>): FileLimits {
  return { imagePixelsMax: values.MAX_IMAGE_PIXELS, durationMsMax: values.MAX_MEDIA_SECONDS * 1000 };
}
