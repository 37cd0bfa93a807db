import { type DescMessage, fromBinary } from "@bufbuild/protobuf";

/** The operation that a job is about; undefined where the body is no such message. */
export function operationIdOf(schema: DescMessage, body: Uint8Array): number | undefined {
  try {
    const { operationId } = fromBinary(schema, body) as { operationId?: bigint };
    const id = Number(operationId);
    return Number.isSafeInteger(id) && id > 0 ? id : undefined;
  } catch {
    // Not a message of ours; the caller sends it to the dead letters.
    return undefined;
  }
}
