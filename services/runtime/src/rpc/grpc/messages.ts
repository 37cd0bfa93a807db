import { fromBinary, toBinary, type DescMessage, type Message, type MessageShape } from "@bufbuild/protobuf";
import { AppError } from "../../errors/app-error.js";
import { encodeBytesMessage } from "./bytes-message.js";

/** 64 MiB: an operation of 1,000 long texts fits, a bomb does not. */
export const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;

/** The bytes of a message; grpc-js wants a Buffer and the view costs no copy. */
export function encode(schema: DescMessage, message: Message): Buffer {
  const piece = encodeBytesMessage(schema, message);
  if (piece !== undefined) return piece;
  const bytes = toBinary(schema, message as MessageShape<DescMessage>);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Fails with AppError `invalid` on bytes that are no such message. */
export function decodeRequest(schema: DescMessage, bytes: Buffer): Message {
  try {
    return fromBinary(schema, bytes);
  } catch (error) {
    throw new AppError(
      "invalid",
      `The request is not a valid ${schema.typeName}. Encode it by the proto files of this server.`,
      {
        code: "malformed_message",
        cause: error,
      },
    );
  }
}

/** grpc-js asks for a function on both sides; we encode and decode ourselves, where failures can be told apart. */
export function unchanged(bytes: Buffer): Buffer {
  return bytes;
}
