import type { Progress } from "../progress.js";
import type { CopySide } from "./side.js";

type Sides = Record<"source" | "target", Pick<CopySide, "keys">>;

/** Makes the target's signing keys those of the source: tokens issued before stay valid. */
export async function copyKeys(sides: Sides, progress: Progress): Promise<void> {
  progress.begin("Copying signing keys");
  const [source, target] = [await sides.source.keys(), await sides.target.keys()];
  const ids = new Set(await source.listIds());
  for (const id of ids) {
    const [key, present] = [await source.read(id), await target.read(id)];
    if (key === undefined || key.privatePem === present?.privatePem) continue;
    if (present !== undefined) await target.remove(id);
    await target.add(key);
  }
  for (const id of await target.listIds()) if (!ids.has(id)) await target.remove(id);
}
