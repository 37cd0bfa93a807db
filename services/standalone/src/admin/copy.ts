import { AppError, armFailpoints, createLogger, failpoint, mustBeWhole, type CopyMark } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";
import type { Administration, OptionValues } from "./administration.js";
import {
  compare,
  copyDocuments,
  copyFiles,
  copyKeys,
  describe,
  describeDifference,
  isSame,
  type Comparison,
  type Sides,
} from "./copy-contents.js";
import {
  configuredPlace,
  mustBeApart,
  namedPlace,
  nameOf,
  openSource,
  openTarget,
  type CopySide,
  type Place,
} from "./copy-sides.js";
import { printProgress, Progress } from "./output.js";

/** Copies all state between an embedded deployment and MongoDB, either way. */
export async function copy({ config }: Administration, { to = "" }: OptionValues): Promise<string[]> {
  armFailpoints(config.failpoints);
  const [from, into] = [configuredPlace(config), namedPlace(to)];
  mustBeApart(from, into);
  if ("url" in from) printProgress(`Nothing may use ${nameOf(from)} meanwhile: all parts must be stopped.`);
  const options = { log: createLogger("silent"), passphrase: config.auth.signingKeyPassphrase };
  const source = await openSource(from, options);
  try {
    const target = await openTarget(into, options);
    try {
      const compared = await copyAll({ source, target }, new Progress(printProgress));
      return [`Copied to ${target.name}`, ...compared.map(describe), ...nextSteps(into, config)];
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** What to set so that servers use the copy. */
function nextSteps(target: Place, { auth }: AdminConfig): string[] {
  if ("folder" in target) return [`To use it, set DATA_DIR to ${target.folder}, and do not set MONGODB_URL.`];
  const keys =
    auth.signingKeyPassphrase === undefined
      ? "Its signing keys are not encrypted, because SIGNING_KEY_PASSPHRASE is not set."
      : "Its signing keys are encrypted with SIGNING_KEY_PASSPHRASE: auth needs the same one.";
  return [`To use it, set MONGODB_URL. ${keys}`];
}

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

/**
 * Marks the target as filled from the source, and returns the mark: that of an earlier attempt if there was one. Throws
 * AppError if the target holds anything else, or if the source is empty or itself a copy that is not complete.
 */
async function claimTarget({ source, target }: Sides): Promise<CopyMark> {
  mustBeWhole(await source.contents.readMark());
  if ((await holdingsOf(source)).length === 0) {
    throw new AppError("not-found", `There is nothing to copy in ${source.name}.`);
  }
  const identity = await source.contents.identity();
  const mark = await target.contents.readMark();
  if (mark?.source === identity) return mark;
  const found = await holdingsOf(target);
  if (mark !== undefined) found.unshift(`a copy from ${mark.sourceName}`);
  if (found.length > 0) {
    throw new AppError("conflict", `The target ${target.name} is not empty: it holds ${found.join(", ")}.`);
  }
  const claimed = { source: identity, sourceName: source.name, begunAt: new Date().toISOString(), completedAt: null };
  await target.contents.writeMark(claimed);
  return claimed;
}

/** What a storage holds, such as the names of its collections. */
async function holdingsOf({ contents, blobs, keys }: CopySide): Promise<string[]> {
  const found: string[] = [];
  for (const name of await contents.names()) {
    const collection = await contents.collection({ name });
    if ((await collection.find({}, { limit: 1 })).length > 0) found.push(name);
  }
  if ((await contents.readBooks()).counters.length > 0) found.push("counters");
  for await (const _ of blobs.list()) {
    found.push("files");
    break;
  }
  // In MongoDB, reading keys creates their collection, which is listed above if it has any.
  if (found.length === 0 && (await (await keys()).listIds()).length > 0) found.push("signing keys");
  return found;
}
