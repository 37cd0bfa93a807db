import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ENCODER_TASKS, type EncoderTaskName, TASK_OUTPUTS } from "../engines/encoder/card.js";
import { CLASSIFIERS } from "../registry/analyses.js";
import { labelsOf } from "../text/classification.js";
import { SHAPE } from "../engines/encoder/vocabulary.js";
import { encodeOnnxModel, FLOAT, type Initializer, INT64, type OnnxNode, type OnnxValue } from "./onnx-model.js";

/**
 * The labels that the tiny encoder's words support. Scores are summed over the pieces of a window, so the expected
 * output for a text can be computed by counting.
 */
export const TINY_WORDS: Readonly<Record<string, TinyWord>> = {
  "[PAD]": { "sentiment-simple": "negative" },
  "[UNK]": {},
  "[CLS]": {},
  "[SEP]": {},
  the: {},
  food: {},
  was: {},
  but: {},
  n: {},
  "'": {},
  t: {},
  not: {},
  ".": {},
  "!": {},
  ",": {},
  good: { "sentiment-simple": "positive", "sentiment-real": "joy", intention: "valuation" },
  awful: { "sentiment-simple": "negative", "sentiment-real": "disgust", intention: "valuation" },
  tomorrow: { intention: "forecast" },
  winner: { "spam-detection": "spam" },
  hello: { "spam-detection": "ham" },
  paris: { entity: 9 },
  long: {},
  "##er": {},
};
type TinyWord = Readonly<Partial<Record<EncoderTaskName, string> & { entity: number }>>;

/** Contribution of a word to the score of its label. */
export const TINY_SCORE = 2;
/** Contribution of a word in capitals to the score of anger. */
export const TINY_CAPITALS_SCORE = 3;
export const TINY_TAGS = { entity: 23, pos: 17, left: 8, right: 4 } as const;

const HEADS = Object.keys(TINY_TAGS) as (keyof typeof TINY_TAGS)[];
const SHAPES = Object.keys(SHAPE).length;

/** The labels of a task, in the order of its scores. */
export const tinyLabels = (task: EncoderTaskName): string[] => labelsOf(CLASSIFIERS[task]);

interface TinyOptions {
  readonly version?: string;
  /** The languages that every classification supports; those of an English encoder if omitted. */
  readonly languages?: readonly string[];
  /** Spells words as the encoder for many languages does. */
  readonly unigram?: boolean;
}

/** Writes a complete model folder like the encoder's into a new temporary folder, which the caller must remove. */
export const writeTinyEncoder = ({ version = "tiny-1", languages, unigram = false }: TinyOptions = {}): URL => {
  const folder = mkdtempSync(join(tmpdir(), "hourglass-encoder-"));
  const files = {
    "model.onnx": network(),
    "tokenizer.json": Buffer.from(JSON.stringify(unigram ? unigramTokenizer() : tokenizer())),
  };
  const sha256: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(folder, name), bytes);
    sha256[name] = createHash("sha256").update(bytes).digest("hex");
  }
  const common = { temperature: 1, ...(languages === undefined ? {} : { languages }) };
  const tasks = Object.fromEntries(ENCODER_TASKS.map((task) => [task, { labels: tinyLabels(task), ...common }]));
  const names = (count: number) => Array.from({ length: count }, (_, i) => `tag-${i}`);
  const tags = { ...TINY_TAGS, entity: names(TINY_TAGS.entity), pos: names(TINY_TAGS.pos) };
  writeFileSync(join(folder, "model.json"), JSON.stringify({ format: 1, version, sha256, tasks, tags }));
  return pathToFileURL(`${folder}/`);
};

const tokenizer = (): object => ({
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [],
  normalizer: {
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: "BertPreTokenizer" },
  post_processor: null,
  decoder: null,
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(Object.keys(TINY_WORDS).map((word, id) => [word, id])),
  },
});

const SPECIAL: Readonly<Record<string, string>> = {
  "[PAD]": "<pad>",
  "[UNK]": "<unk>",
  "[CLS]": "<s>",
  "[SEP]": "</s>",
};

/** The same words, marked at their beginning and all equally likely. */
const unigramTokenizer = (): object => {
  const pieces = Object.keys(TINY_WORDS).map((word) => SPECIAL[word] ?? `▁${word}`);
  return {
    version: "1.0",
    model: { type: "Unigram", unk_id: pieces.indexOf("<unk>"), vocab: pieces.map((piece) => [piece, -1]) },
  };
};

/**
 * Every output is a table of scores looked up by piece. Those of the token heads also count the pieces of the window,
 * so that a test can check that windows run separately: `left` 0 is the number of its pieces, without padding.
 */
const network = (): Buffer => {
  const nodes: OnnxNode[] = [
    { op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: FLOAT } },
    { op: "Unsqueeze", inputs: ["mask", "axis_2"], outputs: ["column"] },
    { op: "ReduceSum", inputs: ["column", "axis_1"], outputs: ["count"], attributes: { keepdims: 1 } },
  ];
  const initializers: Initializer[] = [
    { name: "axis_1", dims: [1], values: BigInt64Array.of(1n) },
    { name: "axis_2", dims: [1], values: BigInt64Array.of(2n) },
  ];
  const outputs: OnnxValue[] = [];
  const table = (name: string, rows: readonly number[][]): string => {
    initializers.push({ name, dims: [rows.length, rows[0]?.length ?? 0], values: Float32Array.from(rows.flat()) });
    return name;
  };
  const add = (op: string, inputs: string[], output: string): string => {
    nodes.push({ op, inputs, outputs: [output], ...(op === "ReduceSum" ? { attributes: { keepdims: 0 } } : {}) });
    return output;
  };
  for (const task of ENCODER_TASKS) {
    const name = TASK_OUTPUTS[task];
    const words = add("Gather", [table(`${name}_words`, taskRows(task)), "input_ids"], `${name}_by_word`);
    const shapes = add("Gather", [table(`${name}_shapes`, shapeRows(task)), "token_type_ids"], `${name}_by_shape`);
    const masked = add("Mul", [add("Add", [words, shapes], `${name}_all`), "column"], `${name}_masked`);
    add("Identity", [add("ReduceSum", [masked, "axis_1"], `${name}_sum`)], name);
    outputs.push({ name, type: FLOAT, dims: ["batch", tinyLabels(task).length] });
  }
  for (const head of HEADS) {
    const found = add("Gather", [table(`${head}_words`, headRows(head)), "input_ids"], `${head}_by_word`);
    add(head === "left" ? "Add" : "Sub", [found, head === "left" ? "count" : "nothing"], head);
    outputs.push({ name: head, type: FLOAT, dims: ["batch", "pieces", TINY_TAGS[head]] });
  }
  initializers.push({ name: "nothing", dims: [1], values: Float32Array.of(0) });
  const inputs = ["input_ids", "attention_mask", "token_type_ids"].map((name) => ({
    name,
    type: INT64,
    dims: ["batch", "pieces"],
  }));
  return encodeOnnxModel({ inputs, outputs, nodes, initializers });
};

const taskRows = (task: EncoderTaskName): number[][] =>
  Object.values(TINY_WORDS).map((word) => tinyLabels(task).map((label) => (word[task] === label ? TINY_SCORE : 0)));

const shapeRows = (task: EncoderTaskName): number[][] =>
  Array.from({ length: SHAPES }, (_, shape) =>
    tinyLabels(task).map((label) => (shape === SHAPE.capitals && label === "anger" ? TINY_CAPITALS_SCORE : 0)),
  );

/** In every head but `entity`, tag 1 is the number of the word. */
const headRows = (head: keyof typeof TINY_TAGS): number[][] =>
  Object.values(TINY_WORDS).map((word, id) =>
    Array.from({ length: TINY_TAGS[head] }, (_, tag) => {
      if (head === "entity") return word.entity === tag ? TINY_SCORE : 0;
      return tag === 1 ? id : 0;
    }),
  );
