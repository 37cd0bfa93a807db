/**
 * Contents of the file of a head that lies beside the network: two layers over one of the network's inner values, so
 * that the head can be trained and replaced without the network. Matrices are rows of 32-bit floats, little-endian, in
 * base64: one row for each unit, and one for each label.
 */
export interface OwnHeadFile {
  /** The name of the inner value that the head reads, one row for each window. */
  input: string;
  /** Whether its scores are added to those of the network's own head; if omitted, they replace them. */
  adds?: boolean;
  first: string;
  firstBias: string;
  second: string;
  secondBias: string;
}

/** A head that lies beside the network. */
export interface OwnHead {
  /** The name of the value that it reads. */
  readonly input: string;
  /** The number of values of a row. */
  readonly size: number;
  /** The scores of the labels for a row; `own` are those of the network's own head. */
  readonly scoresOf: (row: Float32Array, own: Float32Array) => Float32Array;
}

/** The head of a file's contents, or undefined if they do not fit together or have another number of labels. */
export const createOwnHead = (contents: unknown, labels: number): OwnHead | undefined => {
  if (!isFile(contents)) return undefined;
  const { input, adds = false } = contents;
  const [first, firstBias, second, secondBias] = MATRICES.map((name) => floatsOf(contents[name])) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const units = firstBias.length;
  const size = first.length / units;
  const fits = Number.isInteger(size) && secondBias.length === labels && second.length === labels * units;
  if (!fits) return undefined;
  const hidden = new Float32Array(units);
  const scoresOf = (row: Float32Array, own: Float32Array): Float32Array => {
    for (let unit = 0; unit < units; unit++) hidden[unit] = gelu(product(first, unit * size, row) + firstBias[unit]!);
    return secondBias.map(
      (bias, label) => product(second, label * units, hidden) + bias + (adds ? (own[label] ?? 0) : 0),
    );
  };
  return { input, size, scoresOf };
};

const MATRICES = ["first", "firstBias", "second", "secondBias"] as const;

const isFile = (contents: unknown): contents is OwnHeadFile =>
  typeof contents === "object" &&
  contents !== null &&
  ["input", ...MATRICES].every((name) => typeof (contents as Record<string, unknown>)[name] === "string");

const floatsOf = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, i) => bytes.readFloatLE(i * 4));
};

const product = (matrix: Float32Array, from: number, values: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += matrix[from + i]! * values[i]!;
  return sum;
};

const gelu = (value: number): number =>
  0.5 * value * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (value + 0.044715 * value ** 3)));

/**
 * What makes a network in the ONNX format give some of its inner values when it is appended to the file's bytes:
 * messages of that format (protobuf) that follow each other are read as one.
 */
export const furtherOutputs = (names: readonly string[]): Buffer =>
  Buffer.concat(
    names.map((name) => {
      const type = field(2, field(1, Buffer.from([FLOAT_FIELD, FLOAT_TYPE])));
      const output = Buffer.concat([field(1, Buffer.from(name)), type]);
      return field(GRAPH_FIELD, field(OUTPUT_FIELD, output));
    }),
  );

const GRAPH_FIELD = 7;
const OUTPUT_FIELD = 12;
/** The field of an element's type, and the type of 32-bit floats. */
const FLOAT_FIELD = 1 << 3;
const FLOAT_TYPE = 1;

/** A field with a length. All lengths here are below 128: names of values are short. */
const field = (number: number, contents: Buffer): Buffer => {
  if (contents.length > 127) throw new RangeError("the name of the network's inner value is too long");
  return Buffer.concat([Buffer.from([(number << 3) | 2, contents.length]), contents]);
};
