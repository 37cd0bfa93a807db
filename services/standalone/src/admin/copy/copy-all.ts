import { AppError, failpoint, type CopyMark } from "@hourglass/runtime";
import { claimTarget } from "./claim-target.js";
import { compare, describeDifference, isSame, type Comparison } from "./compare.js";
import { copyDocuments } from "./copy-documents.js";
import { copyFiles } from "./copy-files.js";
import { copyKeys } from "./copy-keys.js";
import type { Progress } from "../progress.js";
import type { CopySide } from "./side.js";

type Sides = Record<"source" | "target", CopySide>;

/**
 * Copies everything, continuing an earlier attempt, and compares both sides; a copy that is complete is only compared.
 * AppError `conflict` names what differs.
 */
export async function copyAll(sides: Sides, progress: Progress): Promise<Comparison[]> {
  const mark = await claimTarget(sides);
  if (mark.completedAt !== null) {
    progress.begin(`The copy was completed at ${mark.completedAt}: it is only compared`);
    return compareSides(sides, mark, progress);
  }
  progress.begin(`Copying from ${sides.source.name} to ${sides.target.name}, begun at ${mark.begunAt}`);
  try {
    await copyFiles(sides, progress);
    await copyDocuments(sides, progress);
    await copyKeys(sides, progress);
    const compared = await compareSides(sides, mark, progress);
    failpoint("copy.before_completion");
    await sides.target.contents.writeMark({ ...mark, completedAt: new Date().toISOString() });
    return compared;
  } catch (error) {
    throw interrupted(error);
  }
}

/** An outage of either side, with the remedy. */
function interrupted(error: unknown): unknown {
  if (!(error instanceof AppError) || error.kind !== "unavailable") return error;
  const message = "The copy was interrupted. Run the same command again: it continues.";
  return new AppError("unavailable", message, { cause: error.cause ?? error });
}

async function compareSides(sides: Sides, mark: CopyMark, progress: Progress): Promise<Comparison[]> {
  const compared = await compare(sides, progress);
  const differing = compared.filter((each) => !isSame(each)).map(describeDifference);
  if (differing.length === 0) return compared;
  const advice =
    mark.completedAt === null
      ? "Make sure that nothing uses the two, and run the same command again."
      : "One of them was used since. To copy again, empty the target.";
  throw new AppError("conflict", `The copy differs from its source in ${differing.join(", ")}. ${advice}`);
}
