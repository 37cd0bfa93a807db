import { fromBinary, toJsonString, type DescMessage } from "@bufbuild/protobuf";
import { file_hourglass_job_v1_job as jobs } from "@hourglass/proto/job/v1/job";
import { queuesOf } from "@hourglass/runtime";

/** Every queue in the contract, with its message type. */
const MESSAGES: Readonly<Record<string, DescMessage>> = Object.fromEntries(
  jobs.messages.flatMap((message) => queuesOf(message).map((name) => [name, message])),
);

/** Names of all queues. */
export const QUEUES: readonly string[] = Object.keys(MESSAGES);

/** Number of bytes shown of an unreadable message. */
const SHOWN_BYTES = 32;

/** The message of a job as JSON; if it is not a message of its queue, its first bytes. */
export function describeJob(queue: string, body: Uint8Array): string {
  return readJob(queue, body) ?? `${body.length} bytes: ${Buffer.from(body.subarray(0, SHOWN_BYTES)).toString("hex")}`;
}

function readJob(queue: string, body: Uint8Array): string | undefined {
  const schema = MESSAGES[queue];
  if (schema === undefined) return undefined;
  try {
    const text = toJsonString(schema, fromBinary(schema, body));
    // The bytes happen to parse but contain no known field.
    return text === "{}" ? undefined : text;
  } catch {
    return undefined;
  }
}
