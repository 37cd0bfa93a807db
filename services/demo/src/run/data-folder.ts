import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DemoError } from "./options.js";

/** Where the demo keeps its data. */
export interface DataFolder {
  readonly path: string;
  /** Removes it, if it is temporary. */
  end(): Promise<void>;
}

/** Makes the folder. Throws DemoError for one that holds something, which might be somebody's real data. */
export async function openDataFolder(wanted: string | undefined): Promise<DataFolder> {
  if (wanted === undefined) {
    const made = await mkdtemp(path.join(tmpdir(), "hourglass-demo-"));
    return { path: made, end: () => rm(made, { recursive: true, force: true }) };
  }
  const folder = path.resolve(wanted);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new DemoError(`${folder} is not empty. The demo needs a folder of its own: name another one, or none.`);
  }
  return { path: folder, end: () => Promise.resolve() };
}
