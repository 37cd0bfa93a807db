import { failpoint, type ListedBlob } from "@hourglass/runtime";
import type { Progress } from "../progress.js";
import type { CopySide } from "./side.js";

/** Files in work at a time: most of the time of a small one is spent waiting for the disk or the network. */
const AT_ONCE = 4;

type Sides = Record<"source" | "target", Pick<CopySide, "blobs">>;

/**
 * Makes the target's files those of the source. A file becomes visible as a whole and is never changed in place, so one
 * that is there in its full size was copied by an earlier attempt.
 */
export async function copyFiles({ source, target }: Sides, progress: Progress): Promise<void> {
  progress.begin("Copying files");
  const copyOne = async ({ key, size }: ListedBlob): Promise<void> => {
    if ((await target.blobs.size(key)) !== size) await target.blobs.put(key, source.blobs.get(key));
    failpoint("copy.after_file");
    progress.add(1, "file");
  };
  const left = inTurn(source.blobs.list());
  const copyRest = async (): Promise<void> => {
    for await (const blob of left) await copyOne(blob);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyRest));
  for await (const { key } of target.blobs.list()) {
    if ((await source.blobs.size(key)) === undefined) await target.blobs.delete(key);
  }
}

/** A generator, which several loops can share: each gets other elements. */
async function* inTurn<T>(list: AsyncIterable<T>): AsyncGenerator<T> {
  yield* list;
}
