import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { encodeOnnxModel, FLOAT, INT64, type OnnxGraph } from "./onnx-model.js";

/** A tiny model whose weights are given per word: logits are sums over the words of a text. */
export interface TinyModel {
  /** In the order of the logits. */
  labels: readonly string[];
  /**
   * Contribution of each word to each logit; missing words contribute nothing. Lower case; `##` begins a continuation
   * piece.
   */
  words: Readonly<Record<string, readonly number[]>>;
  /** Merged into config.json. */
  config?: Readonly<Record<string, unknown>>;
}

const SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];

/** The files of a text classification model, by path. */
export const tinyClassifier = (model: TinyModel): Record<string, Buffer | string> =>
  filesOf(model, "BertForSequenceClassification", sumGraph(tableOf(model)));

/** The files of a token classification model. */
export const tinyTagger = (model: TinyModel): Record<string, Buffer | string> =>
  filesOf(model, "BertForTokenClassification", wordGraph(tableOf(model)));

/**
 * The files of a model that compares two sentences: words have features instead of logits, and the more features the
 * two sentences share, the more the second follows from the first. Its labels are contradiction and entailment.
 */
export const tinyComparer = (words: TinyModel["words"], features: number): Record<string, Buffer | string> => {
  const labels = ["contradiction", "entailment"];
  const model = { labels, words };
  return filesOf(model, "BertForSequenceClassification", squareGraph(tableOf(model, features)));
};

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, Buffer | string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

interface Table {
  width: number;
  rows: number;
  values: Float32Array;
}

function tableOf(model: TinyModel, width = model.labels.length): Table {
  const { vocabulary } = tokenizerFiles(Object.keys(model.words));
  const values = new Float32Array(vocabulary.length * width);
  vocabulary.forEach((word, row) => values.set(model.words[word] ?? [], row * width));
  return { width, rows: vocabulary.length, values };
}

function filesOf(model: TinyModel, architecture: string, graph: OnnxGraph): Record<string, Buffer | string> {
  const config = {
    model_type: "bert",
    architectures: [architecture],
    id2label: Object.fromEntries(model.labels.map((label, i) => [i, label])),
    label2id: Object.fromEntries(model.labels.map((label, i) => [label, i])),
    max_position_embeddings: 66,
    ...model.config,
  };
  return {
    "config.json": JSON.stringify(config),
    ...tokenizerFiles(Object.keys(model.words)).files,
    "onnx/model.onnx": encodeOnnxModel(graph),
  };
}

/** The files of a tokenizer with these words and the special pieces, and its vocabulary in the order of the ids. */
export function tokenizerFiles(words: readonly string[]): { files: Record<string, string>; vocabulary: string[] } {
  const vocabulary = [...SPECIAL, ...words.filter((word) => !SPECIAL.includes(word))];
  const config = {
    tokenizer_class: "BertTokenizer",
    model_max_length: 512,
    pad_token: "[PAD]",
    unk_token: "[UNK]",
    cls_token: "[CLS]",
    sep_token: "[SEP]",
  };
  const files = {
    "tokenizer.json": JSON.stringify(tokenizerOf(vocabulary)),
    "tokenizer_config.json": JSON.stringify(config),
  };
  return { files, vocabulary };
}

function tokenizerOf(vocabulary: readonly string[]): unknown {
  const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  const named = (token: string) => ({ id: token, ids: [SPECIAL.indexOf(token)], tokens: [token] });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: SPECIAL.map((content, id) => ({
      ...{ id, content, special: true },
      ...{ single_word: false, lstrip: false, rstrip: false, normalized: false },
    })),
    normalizer: {
      ...{ type: "BertNormalizer", clean_text: true, handle_chinese_chars: true },
      ...{ strip_accents: null, lowercase: true },
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: {
      type: "TemplateProcessing",
      single: [special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
      pair: [
        ...[special("[CLS]", 0), sequence("A", 0), special("[SEP]", 0)],
        ...[sequence("B", 1), special("[SEP]", 1)],
      ],
      special_tokens: { "[CLS]": named("[CLS]"), "[SEP]": named("[SEP]") },
    },
    decoder: { type: "WordPiece", prefix: "##", cleanup: true },
    model: {
      ...{ type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", max_input_chars_per_word: 100 },
      vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id])),
    },
  };
}

/** One row of the table per piece. */
const wordGraph = ({ width, rows, values }: Table, output = "logits"): OnnxGraph => ({
  inputs: ["input_ids", "attention_mask"].map((name) => ({ name, type: INT64, dims: ["batch", "pieces"] })),
  outputs: [{ name: output, type: FLOAT, dims: ["batch", "pieces", width] }],
  initializers: [
    { name: "table", dims: [rows, width], values },
    { name: "last", dims: [1], values: BigInt64Array.of(2n) },
  ],
  nodes: [
    { op: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] },
    { op: "Cast", inputs: ["attention_mask"], outputs: ["mask"], attributes: { to: FLOAT } },
    { op: "Unsqueeze", inputs: ["mask", "last"], outputs: ["wide_mask"] },
    { op: "Mul", inputs: ["rows", "wide_mask"], outputs: [output] },
  ],
});

/** The sum of the rows of all pieces. */
function sumGraph(table: Table, output = "logits"): OnnxGraph {
  const { inputs, initializers, nodes } = wordGraph(table, "masked");
  return {
    inputs,
    outputs: [{ name: output, type: FLOAT, dims: ["batch", table.width] }],
    initializers: [...initializers, { name: "middle", dims: [1], values: BigInt64Array.of(1n) }],
    nodes: [
      ...nodes,
      { op: "ReduceSum", inputs: ["masked", "middle"], outputs: [output], attributes: { keepdims: 0 } },
    ],
  };
}

/** The sum of the features of both sentences, squared: shared features count double. */
function squareGraph(table: Table): OnnxGraph {
  const { inputs, initializers, nodes } = sumGraph(table, "features");
  const toLabels = Float32Array.from({ length: table.width * 2 }, (_, i) => (i % 2 === 0 ? 0 : 1));
  return {
    inputs,
    outputs: [{ name: "logits", type: FLOAT, dims: ["batch", 2] }],
    initializers: [...initializers, { name: "to_labels", dims: [table.width, 2], values: toLabels }],
    nodes: [
      ...nodes,
      { op: "Mul", inputs: ["features", "features"], outputs: ["squares"] },
      { op: "MatMul", inputs: ["squares", "to_labels"], outputs: ["logits"] },
    ],
  };
}
