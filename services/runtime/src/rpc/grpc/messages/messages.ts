import { toBinary, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { encodeBytesMessage } from "./bytes-message.js";

/** 64 MiB: enough for an operation of 1,000 long texts, too small for a decompression bomb. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** The bytes of a message, as a Buffer view for grpc-js, without a copy. */
export function encode(schema: DescMessage, message: Message): Buffer {
  const piece = encodeBytesMessage(schema, message);
  if (piece !== undefined) return piece;
  const bytes = toBinary(schema, message as MessageShape<DescMessage>);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A (de)serialiser that does nothing: we encode and decode ourselves, where failures can be distinguished. */
export function unchanged(bytes: Buffer): Buffer {
  return bytes;
}
