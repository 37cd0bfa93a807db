import { fromBinary, toJsonString, type DescMessage } from "@bufbuild/protobuf";
import { file_hourglass_job_v1_job as jobs } from "@hourglass/proto/job/v1/job";
import { queuesOf } from "@hourglass/runtime";

/** Every queue that the contract names, with the message that it carries. */
const MESSAGES: Readonly<Record<string, DescMessage>> = Object.fromEntries(
  jobs.messages.flatMap((message) => queuesOf(message).map((name) => [name, message])),
);

/** Names of all queues. */
export const QUEUES: readonly string[] = Object.keys(MESSAGES);

/** Bytes that are shown of a message that cannot be read. */
const SHOWN_BYTES = 32;

/** What a job says, as JSON; of one that is no message of its queue, its first bytes. */
export function describeJob(queue: string, body: Uint8Array): string {
  return readJob(queue, body) ?? `${body.length} bytes: ${Buffer.from(body.subarray(0, SHOWN_BYTES)).toString("hex")}`;
}

function readJob(queue: string, body: Uint8Array): string | undefined {
  const schema = MESSAGES[queue];
  if (schema === undefined) return undefined;
  try {
    const text = toJsonString(schema, fromBinary(schema, body));
    // Bytes that happen to parse, but name nothing.
    return text === "{}" ? undefined : text;
  } catch {
    return undefined;
  }
}
