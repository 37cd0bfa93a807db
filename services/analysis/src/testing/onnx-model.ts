/**
 * Writes ONNX models of a few operations, so that tests can run real ones without downloading any. Covers only the part
 * of the format that the tests need: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */

/** Element types, by ONNX's numbers. */
export const FLOAT = 1;
export const INT64 = 7;

/** A constant of the graph. */
export interface Initializer {
  name: string;
  dims: readonly number[];
  values: Float32Array | BigInt64Array;
}

/** One operation; attributes are integers or lists of them. */
export interface OnnxNode {
  op: string;
  inputs: readonly string[];
  outputs: readonly string[];
  attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** An input or output; a dimension is a size or the name of one. */
export interface OnnxValue {
  name: string;
  type: number;
  dims: readonly (number | string)[];
}

export interface OnnxGraph {
  inputs: readonly OnnxValue[];
  outputs: readonly OnnxValue[];
  nodes: readonly OnnxNode[];
  initializers: readonly Initializer[];
}

const IR_VERSION = 8;
const OPSET_VERSION = 17;
const ATTRIBUTE_INT = 2;
const ATTRIBUTE_INTS = 7;

/** The bytes of a model file. */
export function encodeOnnxModel({ inputs, outputs, nodes, initializers }: OnnxGraph): Buffer {
  const graph = [
    ...nodes.map((node) => message(1, encodeNode(node))),
    text(2, "graph"),
    ...initializers.map((initializer) => message(5, encodeInitializer(initializer))),
    ...inputs.map((value) => message(11, encodeValue(value))),
    ...outputs.map((value) => message(12, encodeValue(value))),
  ];
  return Buffer.concat([
    integer(1, IR_VERSION),
    message(7, graph),
    message(8, [text(1, ""), integer(2, OPSET_VERSION)]),
  ]);
}

function encodeNode({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer[] {
  const encoded = Object.entries(attributes).map(([name, value]) => {
    const one = typeof value === "number";
    const values = one ? [integer(3, value)] : value.map((each) => integer(8, each));
    return message(5, [text(1, name), ...values, integer(20, one ? ATTRIBUTE_INT : ATTRIBUTE_INTS)]);
  });
  return [...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name)), text(4, op), ...encoded];
}

function encodeInitializer({ name, dims, values }: Initializer): Buffer[] {
  const type = values instanceof Float32Array ? FLOAT : INT64;
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return [...dims.map((dim) => integer(1, dim)), integer(2, type), text(8, name), bytes(9, raw)];
}

function encodeValue({ name, type, dims }: OnnxValue): Buffer[] {
  const shape = dims.map((dim) => message(1, [typeof dim === "number" ? integer(1, dim) : text(2, dim)]));
  return [text(1, name), message(2, [message(1, [integer(1, type), message(2, shape)])])];
}

// The wire format of protocol buffers: every field is a key (number and kind) and a value.

function varint(value: number | bigint): Buffer {
  const parts: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) parts.push(Number(rest & 127n) | 128);
  return Buffer.from([...parts, Number(rest)]);
}

const integer = (field: number, value: number): Buffer => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field: number, value: Buffer): Buffer =>
  Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));
const message = (field: number, fields: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(fields));
