import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A folder outside of the repository with packages that npm made of it and installed there. */
export interface Installation {
  readonly folder: string;
  /** Runs a script in the folder and returns what it prints. */
  run(source: string, ...args: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

/** Packs folders of the repository, such as `gateway/client`, and installs them where nothing else is, without a network. */
export async function install(...folders: readonly string[]): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-packages-"));
  const npm = (...args: string[]) =>
    run("npm", [...args, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder });
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const packed = await npm("pack", "--json", ...folders.map((each) => path.join(ROOT, each)));
  const files = (JSON.parse(packed.stdout) as { filename: string }[]).map(({ filename }) => `./${filename}`);
  await npm("install", ...files);
  return {
    folder,
    run: async (source, ...args) => {
      await writeFile(path.join(folder, "main.mjs"), source);
      return (await run(process.execPath, ["main.mjs", ...args], { cwd: folder })).stdout;
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
