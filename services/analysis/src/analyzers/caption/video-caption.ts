import { captionOfScenes } from "./caption-of-scenes.js";
import type { Caption } from "../../types.js";
import { sentenceOf } from "./sentence.js";
import { scenesOf, type Shown } from "./video-scenes.js";

/** Describes a video: its length and what its scenes show. Scenes in which nothing was recognised are left out. */
export const captionOfVideo = (shown: readonly Shown[], durationMs: number): Caption =>
  captionOfScenes(
    scenesOf(shown).flatMap(({ fromMs, frames, afterCut, ingredients }) => {
      const description = sentenceOf(ingredients);
      return description === undefined ? [] : [{ fromMs, length: frames, afterCut, description }];
    }),
    durationMs,
  );
