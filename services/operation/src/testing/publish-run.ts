import { type Lane, publishJob, type Queue } from "@hourglass/runtime";
import { LANES } from "../job/lanes.js";
import { OPERATION_KIND } from "../job/operation-kind.js";

/** Publishes one more message about an operation; that of small texts unless told otherwise. */
export function publishRun(queue: Queue, id: number, lane: Lane = LANES.texts): Promise<void> {
  return publishJob({ kind: OPERATION_KIND, queue }, { id, to: lane.queue });
}

/** What the owner of an operation reads that was given up. */
export const GAVE_UP = OPERATION_KIND.sentences.gaveUp;
