import { encodeOnnxModel, FLOAT, INT64, type OnnxGraph, type OnnxNode } from "./onnx-model.js";
import { tokenizerFiles } from "./tiny-models.js";

type Files = Record<string, Buffer | string>;

/** Weights of red, green and blue: a tiny model sees only a picture's mean color, from 0 to 1. */
export type Hue = readonly [red: number, green: number, blue: number];

const PIXELS = { name: "pixel_values", type: FLOAT, dims: ["batch", 3, "height", "width"] };
/** One row with the mean of each color channel of the pixels. */
const MEAN: readonly OnnxNode[] = [
  { op: "GlobalAveragePool", inputs: ["pixel_values"], outputs: ["pooled"] },
  { op: "Flatten", inputs: ["pooled"], outputs: ["mean"], attributes: { axis: 1 } },
];

/** The image processor's settings, like those of hub models of each kind but with smaller pictures. */
const prepared = (settings: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    do_resize: true,
    resample: 2,
    do_rescale: true,
    rescale_factor: 1 / 255,
    do_normalize: false,
    ...settings,
  });
const FOR_DETECTOR = prepared({
  ...{ feature_extractor_type: "DetrFeatureExtractor", format: "coco_detection", do_pad: true },
  ...{ size: { shortest_edge: 16, longest_edge: 32 } },
});
const FOR_CLIP = prepared({
  ...{ feature_extractor_type: "CLIPFeatureExtractor", do_convert_rgb: true, do_center_crop: true },
  ...{ crop_size: { height: 8, width: 8 }, size: { shortest_edge: 8 } },
});
const FOR_WRITER = prepared({ feature_extractor_type: "ViTFeatureExtractor", size: { height: 8, width: 8 } });

/** Middle across and down, width and height, as fractions of the picture. */
type Place = readonly [x: number, y: number, width: number, height: number];

const WHOLE_PICTURE: Place = [0.5, 0.5, 1, 1];

/**
 * A detector of the DETR kind with a query for each place, all of which see the same; the last row of `classes` is "no
 * object".
 */
export function tinyDetector(
  classes: readonly (readonly [label: string, hue: Hue])[],
  { family = "detr", places = [WHOLE_PICTURE] }: { family?: string; places?: readonly Place[] } = {},
): Files {
  const width = classes.length;
  const queries = places.length;
  const weights = Float32Array.from(
    { length: 3 * width },
    (_, i) => classes[i % width]?.[1][Math.floor(i / width)] ?? 0,
  );
  const labels = family === "detr" ? classes.slice(0, -1) : classes;
  return {
    "config.json": JSON.stringify({
      model_type: family,
      architectures: ["DetrForObjectDetection"],
      id2label: Object.fromEntries(labels.map(([label], i) => [i, label])),
    }),
    "preprocessor_config.json": FOR_DETECTOR,
    "onnx/model.onnx": encodeOnnxModel({
      inputs: [PIXELS],
      outputs: [
        { name: "logits", type: FLOAT, dims: ["batch", queries, width] },
        { name: "pred_boxes", type: FLOAT, dims: [1, queries, 4] },
      ],
      initializers: [
        { name: "weights", dims: [3, width], values: weights },
        { name: "copies", dims: [2], values: BigInt64Array.of(1n, BigInt(queries)) },
        { name: "shape", dims: [3], values: BigInt64Array.of(-1n, BigInt(queries), BigInt(width)) },
        { name: "boxes", dims: [1, queries, 4], values: Float32Array.from(places.flat()) },
      ],
      nodes: [
        ...MEAN,
        { op: "MatMul", inputs: ["mean", "weights"], outputs: ["row"] },
        { op: "Tile", inputs: ["row", "copies"], outputs: ["rows"] },
        { op: "Reshape", inputs: ["rows", "shape"], outputs: ["logits"] },
        { op: "Identity", inputs: ["boxes"], outputs: ["pred_boxes"] },
      ],
    }),
  };
}

/**
 * A model of the CLIP kind: a picture's embedding is its mean color, a sentence's is the sum of those of its words.
 */
export function tinyClip(words: Readonly<Record<string, Hue>>): Files {
  const { files, vocabulary } = tokenizerFiles(Object.keys(words));
  const table = Float32Array.from(vocabulary.flatMap((word) => words[word] ?? [0, 0, 0]));
  const sentences: OnnxGraph = {
    inputs: [{ name: "input_ids", type: INT64, dims: ["batch", "pieces"] }],
    outputs: [{ name: "text_embeds", type: FLOAT, dims: ["batch", 3] }],
    initializers: [
      { name: "table", dims: [vocabulary.length, 3], values: table },
      { name: "pieces_axis", dims: [1], values: BigInt64Array.of(1n) },
    ],
    nodes: [
      { op: "Gather", inputs: ["table", "input_ids"], outputs: ["rows"] },
      { op: "ReduceSum", inputs: ["rows", "pieces_axis"], outputs: ["text_embeds"], attributes: { keepdims: 0 } },
    ],
  };
  const pictures: OnnxGraph = {
    inputs: [PIXELS],
    outputs: [{ name: "image_embeds", type: FLOAT, dims: ["batch", 3] }],
    initializers: [],
    nodes: [...MEAN, { op: "Identity", inputs: ["mean"], outputs: ["image_embeds"] }],
  };
  return {
    ...files,
    "config.json": JSON.stringify({ model_type: "clip", architectures: ["CLIPModel"] }),
    "preprocessor_config.json": FOR_CLIP,
    "onnx/text_model.onnx": encodeOnnxModel(sentences),
    "onnx/vision_model.onnx": encodeOnnxModel(pictures),
  };
}

/** The next word after each word of a tiny generator, by mean color; `[CLS]` begins and `[SEP]` ends a sentence. */
export type Grammar = Readonly<Record<string, Readonly<Record<string, Hue>>>>;

/** A model that captions pictures: an encoder that passes on the mean color, and a decoder that uses the last word. */
export function tinyWriter(grammar: Grammar): Files {
  const words = new Set([...Object.keys(grammar), ...Object.values(grammar).flatMap((next) => Object.keys(next))]);
  const { files, vocabulary } = tokenizerFiles([...words]);
  const size = vocabulary.length;
  // For each word and color a row of logits: a table of words x (colors x words).
  const table = new Float32Array(size * 3 * size);
  for (const [row, word] of vocabulary.entries()) {
    for (const [column, next] of vocabulary.entries()) {
      const hue = grammar[word]?.[next] ?? [-9, -9, -9];
      hue.forEach((weight, color) => (table[(row * 3 + color) * size + column] = weight));
    }
  }
  const encoder: OnnxGraph = {
    inputs: [PIXELS],
    outputs: [{ name: "last_hidden_state", type: FLOAT, dims: ["batch", 1, 3] }],
    initializers: [{ name: "middle", dims: [1], values: BigInt64Array.of(1n) }],
    nodes: [...MEAN, { op: "Unsqueeze", inputs: ["mean", "middle"], outputs: ["last_hidden_state"] }],
  };
  const decoder: OnnxGraph = {
    inputs: [
      { name: "input_ids", type: INT64, dims: ["batch", "pieces"] },
      { name: "encoder_hidden_states", type: FLOAT, dims: ["batch", 1, 3] },
    ],
    outputs: [{ name: "logits", type: FLOAT, dims: ["batch", "pieces", size] }],
    initializers: [
      { name: "table", dims: [size, 3, size], values: table },
      { name: "middle", dims: [1], values: BigInt64Array.of(2n) },
    ],
    nodes: [
      { op: "Gather", inputs: ["table", "input_ids"], outputs: ["columns"] },
      { op: "MatMul", inputs: ["encoder_hidden_states", "columns"], outputs: ["rows"] },
      { op: "Squeeze", inputs: ["rows", "middle"], outputs: ["logits"] },
    ],
  };
  const special = { bos_token_id: vocabulary.indexOf("[CLS]"), eos_token_id: vocabulary.indexOf("[SEP]") };
  return {
    ...files,
    "config.json": JSON.stringify({
      ...{ model_type: "vision-encoder-decoder", architectures: ["VisionEncoderDecoderModel"] },
      ...{ is_encoder_decoder: true, decoder_start_token_id: special.bos_token_id, ...special },
      encoder: { model_type: "vit" },
      decoder: { model_type: "gpt2", n_layer: 1, n_head: 1, n_embd: 3, vocab_size: size, ...special },
    }),
    "preprocessor_config.json": FOR_WRITER,
    "onnx/encoder_model.onnx": encodeOnnxModel(encoder),
    "onnx/decoder_model_merged.onnx": encodeOnnxModel(decoder),
  };
}
