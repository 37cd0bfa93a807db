import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../config/config.js";
import { createLogger } from "../log.js";
import { Lifecycle } from "../process/lifecycle.js";
import { ALL_PARTS, openStorage } from "./storage.js";

let dataDir: string;
beforeEach(async () => {
  dataDir = path.join(await mkdtemp(path.join(tmpdir(), "hourglass-open-")), "data");
});
afterEach(() => rm(path.dirname(dataDir), { recursive: true }));

/** Opens and closes the storage of the folder; returns the logged warnings. */
async function warnings(): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger("warn", { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const lifecycle = new Lifecycle(log);
  await openStorage({ config: readConfig({ DATA_DIR: dataDir }, {}), log, lifecycle, parts: ALL_PARTS });
  await lifecycle.stop(1000);
  return lines;
}

describe.skipIf(process.platform === "win32")("a data folder", () => {
  it("that the product has made is open to nobody else", async () => {
    expect(await warnings()).toEqual([]);
    expect(await warnings()).toEqual([]);
  });

  it("that others may enter, with keys they may read, is named in one warning with its remedy", async () => {
    await warnings(); // creates the database: keys without a database are refused
    await mkdir(path.join(dataDir, "keys"), { recursive: true });
    await mkdir(path.join(dataDir, "models"), { recursive: true });
    await writeFile(path.join(dataDir, "keys/a.pem"), "");
    await chmod(dataDir, 0o755);
    await chmod(path.join(dataDir, "keys"), 0o750);
    await chmod(path.join(dataDir, "keys/a.pem"), 0o644);
    expect(await warnings()).toEqual([
      expect.objectContaining({
        level: "warn",
        msg: "the data folder is open to other users of this machine",
        open: [`${dataDir} (755)`, `${dataDir}/keys (750)`, `${dataDir}/keys/a.pem (644)`],
        remedy: `chmod -R go-rwx ${dataDir}`,
      }),
    ]);
  });
});
