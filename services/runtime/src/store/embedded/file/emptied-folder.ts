import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../errors/app-error.js";

/** Files that a server keeps beside its database and creates only after it. */
const LEFT_BY_SERVERS: readonly { folder: string; is: (name: string) => boolean; what: string }[] = [
  { folder: "keys", is: (name) => name.endsWith(".pem"), what: "signing keys" },
  { folder: join("files", "blobs"), is: () => true, what: "files" },
];

/**
 * Data of an earlier server in a data folder, such as "signing keys". Call this before checking the database: a server
 * that starts at the same time creates its database first.
 */
export async function leftInFolder(dataDir: string): Promise<string | undefined> {
  for (const { folder, is, what } of LEFT_BY_SERVERS) {
    const names = await readdir(join(dataDir, folder)).catch(() => []);
    if (names.some(is)) return what;
  }
  return undefined;
}

/** Whether the database file is missing or has 0 bytes. */
export async function isEmptyFile(file: string): Promise<boolean> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  return size === 0;
}

/** The refusal to start with an empty database next to data that belongs to an earlier one. */
export function emptiedFolder(file: string, left: string): AppError {
  const remedy = 'Restore the newest backup ("Backup and restore" in docs/deploy.md says how)';
  const message = `The database ${file} is missing or empty, but there are ${left} of an earlier server beside it. ${remedy}, or, to start over, move the folders keys and files away as well.`;
  return new AppError("unavailable", message);
}
