import { TEXTUAL_ANALYSES, VISUAL_ANALYSES } from "@hourglass/analysis";
import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { DEFAULT_JOB_POLICY, type JobKind, jobMessage } from "@hourglass/runtime";
import { type ContentKind, EXPLAIN, OPERATION, type OperationRecord, UTF16_OFFSETS } from "../records/operation.js";
import { OPERATION_LANES } from "./lanes.js";

/** All entries of a record's analyses that this release knows. */
const ANALYSES: readonly string[] = [...TEXTUAL_ANALYSES, ...VISUAL_ANALYSES, EXPLAIN, UTF16_OFFSETS];
/** Kinds of contents that this release can analyse. */
const KINDS: readonly string[] = ["text", "file-id", "url"] satisfies ContentKind[];

/** The job kind of operations. */
export const OPERATION_KIND: JobKind<OperationRecord> = {
  name: OPERATION,
  message: jobMessage(RunOperationSchema, "operationId"),
  lanes: OPERATION_LANES,
  policy: DEFAULT_JOB_POLICY,
  tooManyCode: "too_many_unfinished_operations",
  sentences: {
    gaveUp:
      "The analysis did not succeed in several attempts. Create the operation again, or ask whoever runs this server.",
    needsNewerRelease: (unknown) =>
      `No worker of this server knows: ${unknown}. Create the operation again once the server is up to date.`,
    tooMany: "Too many operations of your company wait to be analysed. Try again later.",
  },
  findUnknown,
  spanAttributes: ({ contentsCount }) => ({ "hourglass.contents": contentsCount }),
};

/**
 * What a record requests that this release cannot do, for example `analysis emotion-x`; undefined if it can do
 * everything.
 */
function findUnknown({ kind, analyses }: Pick<OperationRecord, "kind" | "analyses">): string | undefined {
  const unknown = analyses.filter((name) => !ANALYSES.includes(name)).map((name) => `analysis ${name}`);
  if (!KINDS.includes(kind)) unknown.unshift(`contents of kind ${kind}`);
  return unknown.length === 0 ? undefined : unknown.join(", ");
}
