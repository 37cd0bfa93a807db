import { captionOfScenes, type DescribedScene } from "./caption-of-scenes.js";
import type { Caption, EngineSettings, Frame, VisualAnalyzer, Watcher } from "../../types.js";
import { ModelError } from "../../models/model.js";
import { CAPTIONER } from "../../descriptor.js";
import { openVisionModel } from "../../engines/hf-vision/vision-model.js";

const FAMILY = "vision-encoder-decoder";
/** Enough for one sentence; such models repeat themselves in longer ones. */
const PIECES_MAX = 32;

/** Captions by a generative model; they may mention things that are not in the picture. Throws ModelError. */
export async function createCaptionModel(settings: EngineSettings): Promise<VisualAnalyzer<"caption", Caption[]>> {
  const model = await openVisionModel("caption", CAPTIONER, settings);
  const { family } = model.config;
  if (family !== FAMILY) {
    throw new ModelError(
      "refused",
      `Model ${model.name} is "${family}", but caption needs one of the kind "${FAMILY}".`,
    );
  }
  const tokenizer = await model.tokenizer();
  const writer = await model.network(
    (library) => library.AutoModelForVision2Seq,
    ["encoder_model", "decoder_model_merged"],
  );
  const describe = async (frame: Frame): Promise<string> => {
    const { pixel_values: inputs } = await model.prepare(frame);
    const pieces = await writer.generate({ inputs, max_new_tokens: PIECES_MAX });
    return (tokenizer.batch_decode(pieces, { skip_special_tokens: true })[0] ?? "").trim();
  };
  return {
    type: "caption",
    engine: "models",
    model: model.ref,
    look: async (frame) => {
      const description = await describe(frame);
      return description === "" ? [] : [{ description }];
    },
    watch: () => watcherOf(describe),
  };
}

/** Describes each frame independently. */
function watcherOf(describe: (frame: Frame) => Promise<string>): Watcher<Caption[]> {
  const scenes: DescribedScene[] = [];
  let durationMs = 0;
  return {
    see: async (frame, film, { untilMs, afterCut }) => {
      durationMs = film.durationMs;
      const description = await describe(frame);
      if (description !== "") scenes.push({ fromMs: frame.atMs, length: untilMs - frame.atMs, description, afterCut });
    },
    finish: () => (scenes.length === 0 ? [] : [captionOfScenes(scenes, durationMs)]),
  };
}
