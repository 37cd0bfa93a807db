import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate as pause } from "node:timers/promises";

/** A variable of a network, in the order of the file: as it is, or as a transposed matrix of 8-bit integers. */
export interface WeightsEntry {
  variable: string;
  as: "float32" | "int8";
}

/** Every variable begins at a multiple of this, as the networks expect. */
const ALIGNMENT = 64;
/**
 * Largest whole number of a weight. With all of 8 bits, processors without VNNI add up products of two bytes in 16 bits,
 * which overflow.
 */
const WHOLE_MAX = 63;
/** Values between two pauses, in which a server answers others. */
const VALUES_AT_ONCE = 2 ** 20;

/**
 * Writes the weights of a network from a model of CTranslate2, in the order of the recipe. The result is the same, byte
 * for byte, on every machine; its SHA-256 is returned. Throws a RangeError if the model lacks a variable.
 */
export async function writeWeights(model: StoredModel, recipe: readonly WeightsEntry[], file: string): Promise<string> {
  const hash = createHash("sha256");
  const handle = await open(file, "w");
  const write = async (values: Float32Array | Int8Array): Promise<void> => {
    const aligned = Buffer.alloc(Math.ceil(values.byteLength / ALIGNMENT) * ALIGNMENT);
    aligned.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    hash.update(aligned);
    await handle.writeFile(aligned);
  };
  try {
    for (const { variable, as } of recipe) {
      const stored = await model.read(variable);
      const parts = as === "float32" ? [floatsOf(stored.data)] : await wholeNumbers(stored);
      for (const part of parts) await write(part);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest("hex");
}

/** A matrix as whole numbers, column by column, and the scale of each of its rows. */
async function wholeNumbers({ shape, data }: StoredVariable): Promise<[Int8Array, Float32Array]> {
  const [rows = 1] = shape;
  const rowBytes = data.length / rows;
  const columns = rowBytes / FLOAT16_BYTES;
  const whole = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  const rowsAtOnce = Math.ceil(VALUES_AT_ONCE / columns);
  for (let row = 0; row < rows; row++) {
    if (row % rowsAtOnce === 0) await pause();
    const values = floatsOf(data.subarray(row * rowBytes, (row + 1) * rowBytes));
    const scale = Math.fround(values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / WHOLE_MAX);
    scales[row] = scale;
    if (scale === 0) continue;
    for (let column = 0; column < columns; column++) whole[column * rows + row] = Math.round(values[column]! / scale);
  }
  return [whole, scales];
}

/** A variable as stored. */
interface StoredVariable {
  shape: readonly number[];
  /** 16-bit floats, least significant byte first. */
  data: Buffer;
}

/** A part of a file. */
export interface FilePart {
  file: string;
  from: number;
  bytes: number;
}

/** CTranslate2's number for 16-bit floats, and their bytes. */
const FLOAT16 = 4;
const FLOAT16_BYTES = 2;
/** A variable's name, shape, kind and length are shorter. */
const HEADER_MAX = 1024;

/** A `model.bin` of CTranslate2, version 6, that may be cut into parts of files. */
export class StoredModel {
  private readonly variables = new Map<string, { shape: readonly number[]; kind: number; at: number; bytes: number }>();

  private constructor(
    private readonly parts: readonly FilePart[],
    private readonly handles: ReadonlyMap<string, FileHandle>,
  ) {}

  /** Reads where each variable is. Throws a RangeError if the file is cut. */
  static async open(parts: readonly FilePart[]): Promise<StoredModel> {
    const handles = new Map<string, FileHandle>();
    for (const { file } of parts) if (!handles.has(file)) handles.set(file, await open(file));
    const model = new StoredModel(parts, handles);
    try {
      await model.list();
    } catch (error) {
      await model.close();
      throw error;
    }
    return model;
  }

  /** Throws a RangeError if there is no such variable of 16-bit floats. */
  async read(name: string): Promise<StoredVariable> {
    const found = this.variables.get(name);
    if (found?.kind !== FLOAT16) throw new RangeError(`the model has no 16-bit floats ${name}`);
    const data = await this.bytes(found.at, found.bytes);
    if (data.length < found.bytes) throw new RangeError(`the model is cut in ${name}`);
    return { shape: found.shape, data };
  }

  async close(): Promise<void> {
    for (const handle of this.handles.values()) await handle.close();
  }

  private async list(): Promise<void> {
    const head = new Reader(await this.bytes(0, HEADER_MAX));
    head.number(4);
    head.text();
    head.number(4);
    let left = head.number(4);
    for (let at = head.at; left > 0; left--) {
      const reader = new Reader(await this.bytes(at, HEADER_MAX));
      const name = reader.text();
      const shape = Array.from({ length: reader.number(1) }, () => reader.number(4));
      const kind = reader.number(1);
      const bytes = reader.number(4);
      this.variables.set(name, { shape, kind, at: at + reader.at, bytes });
      at += reader.at + bytes;
    }
  }

  /** Fewer than asked for at the end. */
  private async bytes(at: number, length: number): Promise<Buffer> {
    const read: Buffer[] = [];
    let begin = 0;
    for (const { file, from, bytes } of this.parts) {
      const first = Math.max(at, begin);
      const count = Math.min(at + length, begin + bytes) - first;
      if (count > 0) {
        const buffer = Buffer.alloc(count);
        const { bytesRead } = await this.handles.get(file)!.read(buffer, 0, count, from + first - begin);
        read.push(buffer.subarray(0, bytesRead));
      }
      begin += bytes;
    }
    return Buffer.concat(read);
  }
}

/** Reads numbers and texts one after the other. */
class Reader {
  at = 0;

  constructor(private readonly bytes: Buffer) {}

  number(bytes: 1 | 2 | 4): number {
    this.at += bytes;
    if (this.at > this.bytes.length) throw new RangeError("the model is cut");
    return this.bytes.readUIntLE(this.at - bytes, bytes);
  }

  /** Its length counts a zero at its end. */
  text(): string {
    const length = this.number(2);
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at - 1);
  }
}

let floats: Float32Array | undefined;

function floatsOf(data: Buffer): Float32Array {
  floats ??= Float32Array.from({ length: 2 ** 16 }, (_, bits) => floatOf(bits));
  const values = new Float32Array(data.length / FLOAT16_BYTES);
  for (let i = 0; i < values.length; i++) values[i] = floats[data.readUInt16LE(i * FLOAT16_BYTES)]!;
  return values;
}

/** The value of a 16-bit float: a sign, five bits of exponent and ten of fraction. */
function floatOf(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
