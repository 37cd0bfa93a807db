import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { done, failed, runAdmin, type Outcome } from "../admin-command.js";
import { Estate, startProduct } from "../copy/estate.js";

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-copy-"));
  dataDir = path.join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const admin = (env: Record<string, string>, ...args: string[]): Promise<Outcome> =>
  runAdmin({ DATA_DIR: dataDir, ...env }, args);

/** The outcome of a copy, whose progress is on stderr. */
const copied = (outcome: Outcome) => ({ ...outcome, stderr: "" });

it("copies a data folder whole, killed or not, and keeps servers out until it is done", async () => {
  const target = path.join(folder, "copy");
  const copy = (failpoints = "") => admin({ NODE_ENV: "test", FAILPOINTS: failpoints }, "copy", "--to", target);
  const first = await startProduct({ DATA_DIR: dataDir });
  expect(await copy()).toEqual(failed(/^A process uses the data folder .*data: stop the server/));
  expect(await readdir(folder)).toEqual(["data"]);
  const estate = await Estate.build(first, { DATA_DIR: dataDir });

  expect(await copy("copy.after_file=2")).toMatchObject({ code: null });
  expect(await copy("copy.after_batch=4")).toMatchObject({ code: null });
  const inComplete = /^The copy from .*data into this data store is not complete\. Run the same/;
  expect(await admin({ DATA_DIR: target }, "company", "list")).toEqual(failed(inComplete));
  expect(await admin({ DATA_DIR: target }, "copy", "--to", `${target}2`)).toEqual(failed(inComplete));
  const other = { DATA_DIR: path.join(folder, "other") };
  await admin(other, "company", "create", "--name", "Acme");
  expect(await admin(other, "copy", "--to", target)).toEqual(
    failed(/^The target .*copy is not empty: it holds a copy from .*data, /),
  );
  expect(await copy("copy.before_completion")).toMatchObject({ code: null });
  const outcome = await copy();
  expect(copied(outcome)).toEqual(
    done(/^Copied to .*copy\n(.*\n)*operations\t5 documents\t[0-9a-f]{16}\n(.*\n)*To use it, set DATA_DIR/),
  );
  for (const name of ["users\t2 documents", "files\t\\d+ files", "signing keys\tone key", "counters\t\\d+ counters"]) {
    expect(outcome.stdout).toMatch(new RegExp(`^${name}\t[0-9a-f]{16}$`, "m"));
  }
  expect(copied(await copy())).toEqual(copied(outcome));

  const second = await startProduct({ DATA_DIR: target });
  await estate.expectIn(second);
  expect(second.errors).toEqual([]);
  await second.end("SIGTERM");
  const differing = await copy();
  expect(differing).toMatchObject({ code: 1, stdout: "" });
  expect(differing.stderr).toMatch(
    /differs from its source in .*operations \(5 documents, 6 in the copy\).*was used since/,
  );
});
