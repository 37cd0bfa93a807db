import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { type JobLanes, type Lane, queuesOf } from "@hourglass/runtime";
import type { OperationRecord } from "../records/operation.js";

const [texts, large, files] = queuesOf(RunOperationSchema).map(String) as [string, string, string];

/** The queue of small texts. Before lanes were introduced it was the queue of all operations. */
export const RUN_QUEUE = texts;

/**
 * Operations of one lane never wait for those of another. `texts` holds small text operations, which take a moment
 * each; `large` holds text operations that do not fit into one document; `files` may wait for websites and take many
 * minutes.
 */
export const LANES = {
  texts: { name: "texts", queue: texts },
  large: { name: "large", queue: large },
  files: { name: "files", queue: files },
} as const satisfies Record<string, Lane>;

type Laned = Pick<OperationRecord, "kind" | "partCount">;

/** The lane of an operation. Kinds that only a newer release knows use the lane of texts. */
export const OPERATION_LANES: JobLanes<Laned> = {
  shared: LANES.texts,
  perCompany: [LANES.large, LANES.files],
  laneOf: ({ kind, partCount }) => {
    if (kind === "file-id" || kind === "url") return LANES.files;
    return partCount === 0 ? LANES.texts : LANES.large;
  },
};
