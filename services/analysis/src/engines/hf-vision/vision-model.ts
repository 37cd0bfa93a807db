import type { HubFile } from "../../models/hub.js";
import { ModelError, type ModelId } from "../../models/model.js";
import { provideModel } from "../../models/provide.js";
import type { EngineSettings, Frame, ModelRef } from "../../types.js";
import { parseConfigured, placesOf } from "../hugging-face/configured-models.js";
import {
  type ImageProcessor,
  type LoadOptions,
  loadTransformers,
  type ModelLoader,
  type Picture,
  type Tokenizer,
  type Transformers,
} from "../hugging-face/library.js";
import { chooseWeights, filesOf, versionOf, type WeightsFile } from "../hugging-face/local-model.js";
import {
  type ModelSettings,
  readModelSettings,
  readVisionConfig,
  type VisionConfig,
} from "../hugging-face/model-settings.js";
import type { ModelParts } from "../../descriptor.js";

/** A vision model found on this machine; its networks are loaded on request. */
export interface VisionModel {
  readonly name: string;
  readonly ref: ModelRef;
  readonly config: VisionConfig;
  readonly settings: ModelSettings;
  /** Preprocesses a frame into the model's inputs. */
  readonly prepare: (frame: Frame) => ReturnType<ImageProcessor>;
  /** Loads the named networks with one loader. Throws ModelError. */
  network<N>(choose: (library: Transformers) => ModelLoader<N>, names: readonly string[]): Promise<N>;
  /** Throws ModelError. */
  tokenizer(): Promise<Tokenizer>;
}

/**
 * There are few processes, and each analyzes one picture at a time; the arena would grow with every new picture size.
 */
const SESSION: LoadOptions["session_options"] = {
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
};

/** Finds, downloads if necessary, and verifies the model of an analysis. Throws ModelError. */
export async function openVisionModel(type: string, parts: ModelParts, engines: EngineSettings): Promise<VisionModel> {
  const library = await loadTransformers();
  const model = visionModelOf(type, engines);
  const local = await provideModel(model, { ...placesOf(engines), select: selectVisionModelFiles(type, parts) });
  const { folder } = local;
  const name = model.id;
  const { networks, missing } = chooseParts(parts, await filesOf(local));
  if (missing.length > 0) {
    throw new ModelError("refused", `Model ${name} has no ${missing.join(", no ")}, which ${type} needs.`);
  }
  const own = await readModelSettings(folder);
  const loading = loadingOf(name);
  const processor = await loading(library.AutoImageProcessor.from_pretrained(folder, { local_files_only: true }));
  return {
    name,
    ref: { id: name, version: await versionOf(local, [...networks.values()], own?.text) },
    config: await readVisionConfig(folder),
    settings: { ...KNOWN_VISION_SETTINGS[name], ...own?.settings },
    prepare: (frame) => processor(pictureOf(library, frame)),
    network: (choose, names) => {
      const chosen = names.flatMap((each) => networks.get(each) ?? []);
      const byName = <V>(values: readonly V[]): Record<string, V> =>
        Object.fromEntries(values.map((value, i) => [names[i] ?? "", value]));
      return loading(
        choose(library).from_pretrained(folder, {
          local_files_only: true,
          device: "cpu",
          dtype: byName(chosen.map(({ dtype }) => dtype)),
          subfolder: chosen[0]?.subfolder ?? "",
          use_external_data_format: byName(chosen.map(({ external }) => external.length)),
          session_options: SESSION,
        }),
      );
    },
    tokenizer: () => loading(library.AutoTokenizer.from_pretrained(folder, { local_files_only: true })),
  };
}

/** Turns errors of the library during loading into ModelErrors. */
const loadingOf =
  (name: string) =>
  async <V>(promise: Promise<V>): Promise<V> => {
    try {
      return await promise;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new ModelError("refused", `Model ${name} cannot be loaded: ${why}`, { cause: error });
    }
  };

const PICTURE = Symbol("picture of the library");

/** Created once for all models that read the frame. */
const pictureOf = (library: Transformers, frame: Frame): Picture =>
  frame.once(PICTURE, ({ rgb, width, height }) => new library.RawImage(rgb, width, height, 3));

const WELCOME = ["generation_config.json", "hourglass.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];

/** The weights of each network of a model, by name; or the missing parts. */
export function chooseParts(
  { files, networks }: ModelParts,
  paths: readonly string[],
): { networks: ReadonlyMap<string, WeightsFile>; missing: readonly string[] } {
  const chosen = new Map<string, WeightsFile>();
  const missing = files.filter((name) => !paths.includes(name));
  for (const network of networks) {
    const weights = chooseWeights(paths, network);
    if (weights === undefined) missing.push(`onnx/${network}.onnx`);
    else chosen.set(network, weights);
  }
  return { networks: chosen, missing };
}

/**
 * Selects the files of a model on the hub that an analysis needs. The selection throws ModelError if one is missing.
 */
export function selectVisionModelFiles(type: string, parts: ModelParts): (files: readonly HubFile[]) => HubFile[] {
  return (files) => {
    const { networks, missing } = chooseParts(
      parts,
      files.map(({ path }) => path),
    );
    if (missing.length > 0) {
      const advice = "choose a model whose page says Transformers.js, such as those of Xenova and onnx-community";
      throw new ModelError("refused", `The model has no ${missing.join(", no ")}, which ${type} needs: ${advice}.`);
    }
    const weights = [...networks.values()].flatMap(({ path, external }) => [path, ...external]);
    const wanted = new Set([...parts.files, ...WELCOME, ...weights]);
    return files.filter(({ path }) => wanted.has(path));
  };
}

/** Settings that the folders of known models lack. An operator's hourglass.json takes precedence. */
const KNOWN_VISION_SETTINGS: Readonly<Record<string, ModelSettings>> = {
  // Overconfident: its authors' examples use a threshold of 0.7 and above.
  "Xenova/detr-resnet-50": { threshold: 0.7 },
  "Xenova/detr-resnet-101": { threshold: 0.7 },
};

/** The model of an analysis; the registry fills in defaults. Throws ModelError if it is missing or malformed. */
export const visionModelOf = (type: string, { media }: EngineSettings): ModelId =>
  parseConfigured(type, media?.models?.[type]);
