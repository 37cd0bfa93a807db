import type { EngineSettings, Frame, ModelRef } from "../../../types.js";
import { ModelError } from "../../../models/model.js";
import { provideModel } from "../../../models/provide.js";
import { placesOf } from "../models/configured-models.js";
import {
  type ImageProcessor,
  type LoadOptions,
  loadTransformers,
  type ModelLoader,
  type Picture,
  type Tokenizer,
  type Transformers,
} from "../library.js";
import { filesOf, versionOf } from "../local-files.js";
import {
  type ModelSettings,
  readModelSettings,
  readVisionConfig,
  type VisionConfig,
} from "../models/model-settings.js";
import type { ModelParts } from "./model-parts.js";
import { KNOWN_VISION_SETTINGS, visionModelOf } from "./vision-analysis.js";
import { chooseParts, selectVisionModelFiles } from "./vision-model-files.js";

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
 * There are few processes, and each analyses one picture at a time; the arena would grow with every new picture size.
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
