import { AppError, mustBeWhole, type CopyMark } from "@hourglass/runtime";
import type { CopySide } from "./side.js";

type Sides = Record<"source" | "target", CopySide>;

/**
 * Marks the target as filled from the source, and returns the mark: that of an earlier attempt if there was one. Throws
 * AppError if the target holds anything else, or if the source is empty or itself a copy that is not complete.
 */
export async function claimTarget({ source, target }: Sides): Promise<CopyMark> {
  mustBeWhole(await source.contents.readMark());
  if ((await holdingsOf(source)).length === 0) {
    throw new AppError("not-found", `There is nothing to copy in ${source.name}.`);
  }
  const identity = await source.contents.identity();
  const mark = await target.contents.readMark();
  if (mark?.source === identity) return mark;
  const held = await holdingsOf(target);
  if (mark !== undefined) held.unshift(`a copy from ${mark.sourceName}`);
  if (held.length > 0) {
    throw new AppError("conflict", `The target ${target.name} is not empty: it holds ${held.join(", ")}.`);
  }
  const begun = { source: identity, sourceName: source.name, begunAt: new Date().toISOString(), completedAt: null };
  await target.contents.writeMark(begun);
  return begun;
}

/** What a storage holds, such as the names of its collections. */
async function holdingsOf({ contents, blobs, keys }: CopySide): Promise<string[]> {
  const held: string[] = [];
  for (const name of await contents.names()) {
    const collection = await contents.collection({ name });
    if ((await collection.find({}, { limit: 1 })).length > 0) held.push(name);
  }
  if ((await contents.readBooks()).counters.length > 0) held.push("counters");
  for await (const _ of blobs.list()) {
    held.push("files");
    break;
  }
  // In MongoDB, asking for keys creates their collection, which is listed above if it has any.
  if (held.length === 0 && (await (await keys()).listIds()).length > 0) held.push("signing keys");
  return held;
}
