import { statfs } from "node:fs/promises";

/** Bytes that a process may still write on the disk of a folder. */
export async function freeOn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
