/**
 * Writes what the networks of @vladmandic/face-api compute as lists of TensorFlow.js kernels, for convert_faces.py.
 *
 * node services/training/vision/trace_faces.mjs FOLDER
 *
 * Each network runs once on a picture of noise; the kernels called are its graph, tensors that no kernel made its weights.
 */
import { Buffer } from "node:buffer";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const [folder] = process.argv.slice(2);
const api = require("@vladmandic/face-api/dist/face-api.node-wasm.js");
const { tf } = api;

const NETWORKS = [
  {
    name: "detector",
    net: api.nets.ssdMobilenetv1,
    side: 512,
    outputs: ({ boxes, scores }) => ({ boxes: boxes[0], scores: scores[0] }),
  },
  { name: "landmarks", net: api.nets.faceLandmark68Net, side: 112, outputs: (points) => ({ points }) },
  { name: "traits", net: api.nets.ageGenderNet, side: 112, outputs: ({ age, gender }) => ({ age, gender }) },
  { name: "expression", net: api.nets.faceExpressionNet, side: 112, outputs: (expression) => ({ expression }) },
  { name: "descriptor", net: api.nets.faceRecognitionNet, side: 150, outputs: (descriptor) => ({ descriptor }) },
];

const describe = (tensor) => ({ id: tensor.id, shape: tensor.shape, dtype: tensor.dtype });

/** Runs `work` and lists the kernels that it calls, and what they take that none of them made. */
const trace = (work) => {
  const engine = tf.engine();
  const original = engine.runKernel;
  const kernels = [];
  const made = new Set();
  const constants = new Map();
  // At once, since what is made on the way is disposed of at the end.
  const note = (tensor) => {
    if (!made.has(tensor.id) && !constants.has(tensor.id)) {
      constants.set(tensor.id, { ...describe(tensor), values: Float32Array.from(tensor.dataSync()) });
    }
    return tensor.id;
  };
  engine.runKernel = function (name, inputs, attributes) {
    const list = (value) => (Array.isArray(value) ? value : [value]);
    const entries = Object.entries(inputs).filter(([, value]) => value);
    const named = entries.map(([key, value]) => [key, list(value).map(note)]);
    const result = original.call(this, name, inputs, attributes);
    for (const tensor of list(result)) made.add(tensor.id);
    kernels.push({
      name,
      inputs: Object.fromEntries(named),
      attributes: attributes ?? {},
      outputs: list(result).map(describe),
    });
    return result;
  };
  try {
    return { result: work(), kernels, constants };
  } finally {
    engine.runKernel = original;
  }
};

const write = async ({ name, net, side, outputs }, weights) => {
  await net.loadFromDisk(weights);
  const pixels = Float32Array.from({ length: side * side * 3 }, (_, i) => (i * 7919) % 256);
  const picture = tf.tensor4d(pixels, [1, side, side, 3]);
  const input = await api.toNetInput(picture);
  const { result, kernels, constants } = trace(() => net.forwardInput(input));
  constants.delete(picture.id);
  const weightsOf = [...constants.values()];
  const bytes = weightsOf.map(({ values }) => Buffer.from(values.buffer));
  const named = Object.entries(outputs(result));
  const values = Object.fromEntries(
    await Promise.all(named.map(async ([key, tensor]) => [key, Array.from(await tensor.data())])),
  );
  const ids = Object.fromEntries(named.map(([key, tensor]) => [key, describe(tensor)]));
  writeFileSync(path.join(folder, `${name}.bin`), Buffer.concat(bytes));
  writeFileSync(
    path.join(folder, `${name}.json`),
    JSON.stringify({
      input: describe(picture),
      constants: weightsOf.map(({ id, shape, dtype }) => ({ id, shape, dtype })),
      kernels,
      outputs: ids,
      expected: values,
    }),
  );
};

mkdirSync(folder, { recursive: true });
const wasm = require("@tensorflow/tfjs-backend-wasm");
wasm.setWasmPaths(`${path.dirname(require.resolve("@tensorflow/tfjs-backend-wasm"))}/`);
await tf.setBackend("wasm");
await tf.ready();
const weights = path.join(path.dirname(require.resolve("@vladmandic/face-api/package.json")), "model");
for (const network of NETWORKS) await write(network, weights);
