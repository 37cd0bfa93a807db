import type { Caption, Frame, VisualAnalyzer, Watcher } from "../../types.js";
import { loadScene, sceneOf, sceneOfFilm } from "../../vision/scene.js";
import { readWords } from "../../vision/printed-words.js";
import { type Ingredients, ingredientsOf } from "./ingredients.js";
import { sentenceOf } from "./sentence.js";
import { captionOfVideo, type Shown } from "./video-scenes.js";

/** The version changes whenever captions may change. */
const MODEL = { id: "caption-composed", version: "5" } as const;

/**
 * Describes pictures in a sentence composed of what was found in them; the caption is empty if nothing was. Rejects if
 * a network cannot be loaded.
 */
export const createCaption = async (): Promise<VisualAnalyzer<"caption", Caption[]>> => {
  await loadScene();
  return { type: "caption", engine: "builtin", model: MODEL, look, watch };
};

/** The parts of the sentence about a picture. */
export const captionIngredients = async (frame: Frame): Promise<Ingredients> =>
  ingredientsOf(await sceneOf(frame), await readWords(frame));

const look = async (frame: Frame): Promise<Caption[]> => {
  const description = sentenceOf(await captionIngredients(frame));
  return description === undefined ? [] : [{ description }];
};

const watch = (): Watcher<Caption[]> => {
  const shown: Shown[] = [];
  let durationMs = 0;
  return {
    see: async (frame, film, { afterCut }) => {
      durationMs = film.durationMs;
      const ingredients = ingredientsOf(await sceneOfFilm(frame), await readWords(frame));
      shown.push({ atMs: frame.atMs, afterCut, ingredients });
    },
    finish: () => (shown.length === 0 ? [] : [captionOfVideo(shown, durationMs)]),
  };
};
