import type { Collection } from "@hourglass/runtime";
import { partsOf } from "./contents.js";
import {
  type ContentOutcome,
  isFileOutcome,
  type OperationRecord,
  type ResultPart,
  type Results,
} from "./operation.js";
import type { TextOutcome } from "./text-outcome.js";

/** All outcomes of a done operation; undefined if it has been deleted in the meantime. */
export async function readResults(
  resultParts: Collection<ResultPart>,
  record: OperationRecord,
): Promise<Results | undefined> {
  if (record.resultParts === null) return record.results ?? undefined;
  const contents: ContentOutcome[] = [];
  const groups: TextOutcome[] = [];
  for (const id of record.resultParts) {
    const part = await resultParts.get(id);
    if (part === undefined) return undefined;
    if (part.part < partsOf(record)) contents.push(...part.outcomes);
    else groups.push(...part.outcomes.filter((outcome): outcome is TextOutcome => !isFileOutcome(outcome)));
  }
  return { contents, groups };
}
