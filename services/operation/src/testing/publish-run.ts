import { type Lane, publishJob, type Queue } from "@hourglass/runtime";
import { LANES } from "../job/lanes.js";
import { OPERATION_KIND } from "../job/operation-kind.js";

/** Publishes another message about an operation, by default to the lane of small texts. */
export function publishRun(queue: Queue, id: number, lane: Lane = LANES.texts): Promise<void> {
  return publishJob({ kind: OPERATION_KIND, queue }, { id, to: lane.queue });
}

/** The error that the owner of an abandoned operation reads. */
export const GAVE_UP = OPERATION_KIND.sentences.gaveUp;
