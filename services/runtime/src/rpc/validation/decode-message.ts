import { create, fromBinary, mergeFromBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import { LoopPace } from "../../process/event-loop.js";
import { malformedMessage, memoryOf, tallyBinary } from "./message-tally.js";

/** Decoding so much at once takes some milliseconds, since texts beyond ASCII are slow to decode. */
const PIECE_BYTES = 524_288;

/**
 * Decodes a message that a caller sent, a large one in pieces between which the event loop serves others: in the wire
 * format, messages one after the other are one message. Fails with AppError for a message that is not of this type, and
 * before it is decoded for one with longer lists or more values than a request may have.
 */
export async function decodeMessage(
  schema: DescMessage,
  bytes: Uint8Array,
  /** Told how much memory the message will take, in bytes; may throw. */
  occupy: (memoryBytes: number) => void,
): Promise<Message> {
  const { cuts, values } = tallyBinary(schema, bytes, PIECE_BYTES);
  occupy(memoryOf(bytes.length, values));
  try {
    if (cuts.length === 0) return fromBinary(schema, bytes);
    const message = create(schema);
    const pace = new LoopPace();
    let start = 0;
    for (const end of [...cuts, bytes.length]) {
      mergeFromBinary(schema, message, bytes.subarray(start, end));
      start = end;
      await pace.step();
    }
    return message;
  } catch (error) {
    throw malformedMessage(schema, error);
  }
}
