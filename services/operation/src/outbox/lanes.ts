import type { OperationRecord } from "../records/operation.js";

/**
 * How operations are kept from waiting for others of another kind: each lane has a queue, and places in every worker, of
 * its own. `texts` are the small ones, which take a moment each; `large` are texts that do not fit into one document; `files`
 * may wait for sites and take many minutes.
 */
export type Lane = "texts" | "large" | "files";

export const LANES = ["texts", "large", "files"] as const satisfies readonly Lane[];

/** Those whose operations may take long: one company holds but a share of a worker's places. */
export type SlowLane = Exclude<Lane, "texts">;

export const SLOW_LANES = ["large", "files"] as const satisfies readonly SlowLane[];

/** The queue of small texts. Until there were lanes it was that of all operations. */
export const RUN_QUEUE = "operation.run";

/** Queues of jobs that carry out one operation each. */
export const LANE_QUEUES: Readonly<Record<Lane, string>> = {
  texts: RUN_QUEUE,
  large: "operation.run.large",
  files: "operation.run.files",
};

/** Kinds that only a newer release knows go the way of texts. */
export function laneOf({ kind, partCount }: Pick<OperationRecord, "kind" | "partCount">): Lane {
  if (kind === "file-id" || kind === "url") return "files";
  return partCount === 0 ? "texts" : "large";
}

export function isSlow(lane: Lane): lane is SlowLane {
  return lane !== "texts";
}

/** Of a slow lane, such as `files:17`; null: small texts of all companies. */
export function lineOf(record: Pick<OperationRecord, "kind" | "partCount" | "companyId">): string | null {
  const lane = laneOf(record);
  return isSlow(lane) ? `${lane}:${record.companyId}` : null;
}
