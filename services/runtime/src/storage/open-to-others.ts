import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "../log/logger.js";

/** Bits of a mode by which a file's group and all others may read, write or enter it. */
const GROUP_AND_OTHERS = 0o077;
/** Below the data folder: its own entries, and what lies in those, such as each key. */
const DEPTH = 2;
/** Downloaded models are no secret, and other users of the machine may share them. */
const PUBLIC = new Set(["models"]);

/**
 * Warns, in one line, when other users of the machine can get at the data folder or at keys, records and files in it.
 * What the product makes is for its owner alone; a folder that was there before, or was copied, may not be.
 */
export async function warnIfOpenToOthers(dataDir: string, log: Logger): Promise<void> {
  if (process.platform === "win32") return; // modes say nothing there
  const open = await openBelow(dataDir, DEPTH);
  if (open.length === 0) return;
  log.warn(
    { dataDir, open, remedy: `chmod -R go-rwx ${dataDir}` },
    "the data folder is open to other users of this machine",
  );
}

/** Paths with their modes, such as `/srv/data/keys (755)`; a path that vanishes meanwhile is left out. */
async function openBelow(entry: string, depth: number): Promise<string[]> {
  const found = await stat(entry).catch(() => undefined);
  if (found === undefined) return [];
  const own = (found.mode & GROUP_AND_OTHERS) === 0 ? [] : [`${entry} (${(found.mode & 0o777).toString(8)})`];
  if (depth === 0 || !found.isDirectory()) return own;
  const names = (await readdir(entry).catch(() => [])).filter((name) => !PUBLIC.has(name));
  const below = await Promise.all(names.sort().map((name) => openBelow(path.join(entry, name), depth - 1)));
  return [...own, ...below.flat()];
}
