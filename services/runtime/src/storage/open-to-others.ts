import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "../log/logger.js";

/** Mode bits that give group and others read, write or execute access. */
const GROUP_AND_OTHERS = 0o077;
/** Levels below the data folder: its entries, and their contents, for example each key. */
const DEPTH = 2;
/** Downloaded models are not secret, and other users of the machine may share them. */
const PUBLIC = new Set(["models"]);

/**
 * Warns, in one line, if other users of the machine can access the data folder or keys, records and files in it. The
 * product creates files for their owner only; a folder that existed before or was copied may have other modes.
 */
export async function warnIfOpenToOthers(dataDir: string, log: Logger): Promise<void> {
  if (process.platform === "win32") return; // modes have no meaning there
  const open = await openBelow(dataDir, DEPTH);
  if (open.length === 0) return;
  log.warn(
    { dataDir, open, remedy: `chmod -R go-rwx ${dataDir}` },
    "the data folder is open to other users of this machine",
  );
}

/** Paths with their modes, such as `/srv/data/keys (755)`; a path that disappears meanwhile is left out. */
async function openBelow(entry: string, depth: number): Promise<string[]> {
  const found = await stat(entry).catch(() => undefined);
  if (found === undefined) return [];
  const own = (found.mode & GROUP_AND_OTHERS) === 0 ? [] : [`${entry} (${(found.mode & 0o777).toString(8)})`];
  if (depth === 0 || !found.isDirectory()) return own;
  const names = (await readdir(entry).catch(() => [])).filter((name) => !PUBLIC.has(name));
  const below = await Promise.all(names.sort().map((name) => openBelow(path.join(entry, name), depth - 1)));
  return [...own, ...below.flat()];
}
