import type { Collection } from "@hourglass/runtime";
import { partsOf } from "./contents.js";
import type { OperationRecord, ResultPart, Results } from "./operation.js";
import type { TextOutcome } from "./ports/analysis-pool.js";

/** All outcomes of a done operation; nothing when it has been deleted meanwhile. */
export async function readResults(
  resultParts: Collection<ResultPart>,
  record: OperationRecord,
): Promise<Results | undefined> {
  if (record.resultParts === null) return record.results ?? undefined;
  const contents: TextOutcome[] = [];
  const groups: TextOutcome[] = [];
  for (const id of record.resultParts) {
    const part = await resultParts.get(id);
    if (part === undefined) return undefined;
    const target = part.part < partsOf(record) ? contents : groups;
    for (const outcome of part.outcomes) target.push(outcome);
  }
  return { contents, groups };
}
