import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";

const START = path.join(path.dirname(createRequire(import.meta.url).resolve("@hourglass/standalone")), "admin/main.js");

/** Runs the operator's command on the data that the variables name, like `npm run -s admin -- …`. */
export async function admin(storage: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const env = { ...process.env, ...storage, ADMIN_PASSWORD: USER_PASSWORD };
  const { stdout } = await promisify(execFile)(process.execPath, [START, ...args], { env });
  return stdout;
}

/** Password of every user that `admin` creates. */
export const USER_PASSWORD = "another long passphrase";
