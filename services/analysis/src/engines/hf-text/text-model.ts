import type { HubFile } from "../../models/hub.js";
import { ModelError } from "../../models/model.js";
import { provideModel } from "../../models/provide.js";
import type { RawToken } from "../../text/tokenizer.js";
import type { EngineSettings, ModelRef } from "../../types.js";
import { modelOf, placesOf } from "../hugging-face/configured-models.js";
import {
  type Inputs,
  loadTransformers,
  type Network,
  type Tensor,
  type Tokenizer,
  type Transformers,
} from "../hugging-face/library.js";
import { chooseWeights, filesOf, versionOf, type WeightsFile } from "../hugging-face/local-model.js";
import {
  KNOWN_SETTINGS,
  type ModelConfig,
  type ModelSettings,
  type ModelTask,
  readModelConfig,
  readModelSettings,
} from "../hugging-face/model-settings.js";

/** A loaded text model. It reads one text at a time: other texts in a batch must not change a text's result. */
export interface TextModel {
  name: string;
  folder: string;
  ref: ModelRef;
  languages: ReadonlySet<string>;
  config: ModelConfig;
  task: ModelTask;
  settings: ModelSettings;
  /** Maximum number of pieces of a text next to the special ones. */
  piecesMax: number;
  /** The pieces of one word of a text. */
  piecesOf(token: RawToken): readonly number[];
  /** Logits of a text, of its relation to a second one, or of every piece. */
  logitsOf(text: string, pair?: string): Promise<ArrayLike<number>>;
  tokenLogitsOf(pieces: readonly number[]): Promise<{ logits: ArrayLike<number>; before: number }>;
}

/** Longer windows do not improve results for posts and need more memory. */
const WINDOW_PIECES = 256;
/** Models of the RoBERTa family number positions from 2. */
const POSITIONS_SPARE = 2;
const WORDS_KEPT = 50_000;

/** Finds, downloads if necessary, verifies and loads the model of an analysis. Throws ModelError. */
export async function loadTextModel(type: string, engines: EngineSettings): Promise<TextModel> {
  const library = await loadTransformers();
  const model = modelOf(type, engines);
  const local = await provideModel(model, { ...placesOf(engines), select: selectTextModelFiles });
  const { folder } = local;
  const name = model.id;
  const own = await readModelSettings(folder);
  const settings = { ...KNOWN_SETTINGS[name], ...own?.settings };
  const config = await readModelConfig(folder);
  const task = settings.task ?? config.task;
  if (task === undefined) {
    throw new ModelError("refused", `${name}/config.json says nothing of a task: name it in hourglass.json ("task").`);
  }
  if ((task === "token-classification") !== (type === "topic")) {
    throw new ModelError(
      "refused",
      `Model ${name} is made for ${task}, which does not serve ${type}: configure another.`,
    );
  }
  const weights = chooseWeights(await filesOf(local));
  if (weights === undefined) throw new ModelError("refused", `${name} holds no onnx/model.onnx: choose another model.`);
  const { tokenizer, network } = await open(library, { folder, name, weights, task });
  const version = await versionOf(local, [weights], own?.text);
  return {
    name,
    folder,
    ref: { id: name, version },
    languages: new Set(settings.languages ?? ["en"]),
    config,
    task,
    settings,
    ...readerOf(library, { tokenizer, network, positions: config.positions }),
  };
}

interface Opening {
  folder: string;
  name: string;
  weights: WeightsFile;
  task: ModelTask;
}

async function open(
  library: Transformers,
  { folder, name, weights, task }: Opening,
): Promise<{ tokenizer: Tokenizer; network: Network }> {
  const loader =
    task === "token-classification"
      ? library.AutoModelForTokenClassification
      : library.AutoModelForSequenceClassification;
  try {
    const tokenizer = await library.AutoTokenizer.from_pretrained(folder, { local_files_only: true });
    const network = await loader.from_pretrained(folder, {
      local_files_only: true,
      device: "cpu",
      dtype: weights.dtype,
      subfolder: weights.subfolder,
      use_external_data_format: weights.external.length,
      // The pool's threads provide the parallelism: each uses its own core.
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
    });
    return { tokenizer, network };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ModelError("refused", `Model ${name} cannot be loaded: ${why}`, { cause: error });
  }
}

type Reader = Pick<TextModel, "piecesMax" | "piecesOf" | "logitsOf" | "tokenLogitsOf">;

function readerOf(
  library: Transformers,
  {
    tokenizer,
    network,
    positions = Infinity,
  }: { tokenizer: Tokenizer; network: Network; positions: number | undefined },
): Reader {
  const positionsMax = Math.min(positions - POSITIONS_SPARE, tokenizer.model_max_length ?? Infinity);
  const { before, after } = specialPieces(tokenizer);
  const special = before.length + after.length;
  const words = new Map<string, readonly number[]>();
  const run = async (inputs: Inputs): Promise<ArrayLike<number>> => {
    const { logits } = await network(inputs);
    return logits.data as ArrayLike<number>;
  };
  const row = (values: readonly number[]): Tensor =>
    new library.Tensor("int64", BigInt64Array.from(values, BigInt), [1, values.length]);
  return {
    piecesMax: Math.max(1, Math.min(WINDOW_PIECES, positionsMax) - special),
    piecesOf({ text, spaced }) {
      // In vocabularies with spaces in their pieces, a word after a space has other pieces.
      const key = spaced ? ` ${text}` : text;
      const known = words.get(key);
      if (known !== undefined) return known;
      if (words.size >= WORDS_KEPT) words.clear();
      const pieces = tokenizer.encode(key, { add_special_tokens: false });
      words.set(key, pieces);
      return pieces;
    },
    logitsOf: (text, pair) =>
      run(
        tokenizer(text, {
          ...(pair === undefined ? {} : { text_pair: pair }),
          truncation: true,
          max_length: Number.isFinite(positionsMax) ? positionsMax : WINDOW_PIECES * 2,
        }),
      ),
    async tokenLogitsOf(pieces) {
      const ids = [...before, ...pieces.slice(0, positionsMax - special), ...after];
      const logits = await run({ input_ids: row(ids), attention_mask: row(ids.map(() => 1)) });
      return { logits, before: before.length };
    },
  };
}

/** The special pieces that a tokenizer puts around a text, for example `[CLS]` and `[SEP]`. */
function specialPieces(tokenizer: Tokenizer): { before: readonly number[]; after: readonly number[] } {
  const plain = tokenizer.encode("a", { add_special_tokens: false });
  const whole = tokenizer.encode("a", { add_special_tokens: true });
  const spare = whole.length - plain.length;
  for (let start = 0; start <= spare; start++) {
    if (plain.every((piece, i) => whole[start + i] === piece)) {
      return { before: whole.slice(0, start), after: whole.slice(start + plain.length) };
    }
  }
  return { before: [], after: [] };
}

const REQUIRED = ["config.json", "tokenizer.json", "tokenizer_config.json"];
const WELCOME = ["hourglass.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];

/** The required files of a model on the hub. Throws ModelError if one is missing. */
export function selectTextModelFiles(files: readonly HubFile[]): HubFile[] {
  const paths = files.map(({ path }) => path);
  const weights = chooseWeights(paths);
  const missing = REQUIRED.filter((name) => !paths.includes(name));
  if (weights === undefined) missing.push("onnx/model.onnx");
  if (weights === undefined || missing.length > 0) {
    const advice = "choose a model whose page says ONNX or Transformers.js, such as those of Xenova and onnx-community";
    throw new ModelError("refused", `The model has no ${missing.join(", no ")}: ${advice}.`);
  }
  const wanted = new Set([...REQUIRED, ...WELCOME, weights.path, ...weights.external]);
  return files.filter(({ path }) => wanted.has(path));
}
