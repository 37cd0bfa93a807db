import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FilePart, StoredModel, writeWeights } from "./speech-whisper-weights.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "weights-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from(Uint16Array.of(value.length + 1).buffer), Buffer.from(`${value}\0`)]);
const whole = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer);

/** One variable of CTranslate2. */
function variable(name: string, shape: readonly number[], kind: number, data: Buffer): Buffer {
  return Buffer.concat([
    text(name),
    Buffer.of(shape.length),
    ...shape.map(whole),
    Buffer.of(kind),
    whole(data.length),
    data,
  ]);
}

/** 1, -2, 0.5 and 0 as 16-bit floats. */
const VALUES = Buffer.from(Uint16Array.of(0x3c00, 0xc000, 0x3800, 0x0000).buffer);
const MODEL = Buffer.concat([
  ...[whole(6), text("WhisperSpec"), whole(3), whole(3)],
  variable("bias", [4], 4, VALUES),
  variable("matrix", [2, 2], 4, VALUES),
  variable("flag", [1], 1, Buffer.of(1)),
]);

/** The model in two files, the second of which begins in the middle of a variable. */
async function parts(model = MODEL): Promise<FilePart[]> {
  const cut = MODEL.length - 30;
  const [first, second] = [path.join(folder, "first"), path.join(folder, "second")];
  await writeFile(first, Buffer.concat([Buffer.from("before"), model.subarray(0, cut)]));
  await writeFile(second, model.subarray(cut));
  return [
    { file: first, from: 6, bytes: cut },
    { file: second, from: 0, bytes: model.length - cut },
  ];
}

it("writes variables as floats, and matrices transposed as whole numbers with a scale per row", async () => {
  const model = await StoredModel.open(await parts());
  const file = path.join(folder, "weights");
  const recipe = [
    { variable: "bias", as: "float32" },
    { variable: "matrix", as: "int8" },
  ] as const;
  const sha256 = await writeWeights(model, recipe, file);
  await model.close();
  const written = await readFile(file);
  expect([0, 4, 8, 12].map((at) => written.readFloatLE(at))).toEqual([1, -2, 0.5, 0]);
  expect([64, 65, 66, 67].map((at) => written.readInt8(at))).toEqual([31, 63, -63, 0]);
  expect(written.readFloatLE(128)).toBeCloseTo(2 / 63);
  expect(written.readFloatLE(132)).toBeCloseTo(0.5 / 63);
  expect(written.length).toBe(192);
  expect(sha256).toHaveLength(64);
});

it("says which variable is missing, cut or of another kind", async () => {
  const model = await StoredModel.open(await parts());
  await expect(model.read("other")).rejects.toThrow("no 16-bit floats other");
  await expect(model.read("flag")).rejects.toThrow("no 16-bit floats flag");
  await model.close();
  await expect(StoredModel.open((await parts()).slice(0, 1))).rejects.toThrow("the model is cut");
});
