import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { done, failed, runAdmin } from "../../processes/admin-command.js";
import { Estate, startProduct } from "../../processes/copy/estate.js";
import { LIMITS } from "../../support/limits.js";
import { freshMongo, type MongoWorld } from "./mongo-world.js";

const PASSPHRASE = { SIGNING_KEY_PASSPHRASE: "a passphrase that is long enough" };

let world: MongoWorld;
let folder: string;
beforeEach(async () => {
  world = await freshMongo();
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-copy-"));
});
afterEach(async () => {
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** The table of a copy: all lines but the first and the last. */
const tableOf = (stdout: string) => stdout.trimEnd().split("\n").slice(1, -1);

it("moves a product to MongoDB and back, killed or not", { timeout: LIMITS.processes }, async () => {
  const [first, last] = [path.join(folder, "first"), path.join(folder, "last")];
  const mongo = { MONGODB_URL: world.url, DATA_DIR: path.join(folder, "queue"), ...PASSPHRASE };
  const copyTo = (from: Record<string, string>, to: string, failpoints = "") =>
    runAdmin({ ...PASSPHRASE, NODE_ENV: "test", FAILPOINTS: failpoints, ...from }, ["copy", "--to", to]);
  const estate = await Estate.build(await startProduct({ DATA_DIR: first }), { DATA_DIR: first });

  for (const failpoint of ["copy.after_file=2", "copy.after_batch=6", "copy.before_completion"]) {
    expect(await copyTo({ DATA_DIR: first }, world.url, failpoint)).toMatchObject({ code: null });
  }
  const incomplete = /^The copy from .*first into this data store is not complete/;
  expect(await runAdmin(mongo, ["company", "list"])).toEqual(failed(incomplete));
  const there = await copyTo({ DATA_DIR: first }, world.url);
  expect({ ...there, stderr: "" }).toEqual(done(/^Copied to mongodb:.*\n(.*\n)*operations\t5 documents\t/));
  expect(there.stdout).toMatch(/encrypted with SIGNING_KEY_PASSPHRASE: auth needs the same one\.\n$/);
  const keys = await world.direct.db().collection("signing_keys").find().toArray();
  expect(keys.map(({ pem }) => String(pem).split("\n")[0])).toEqual(["-----BEGIN ENCRYPTED PRIVATE KEY-----"]);

  const second = await startProduct(mongo);
  await estate.expectIn(second);
  expect(second.errors).toEqual([]);
  await second.end("SIGTERM");

  expect(await copyTo({ DATA_DIR: first }, world.url)).toMatchObject({ code: 1, stdout: "" });
  expect(await copyTo(mongo, last, "copy.after_batch=6")).toMatchObject({ code: null });
  const otherPhrase = { ...mongo, SIGNING_KEY_PASSPHRASE: "another passphrase of its own" };
  const refused = await copyTo(otherPhrase, last);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(
    /^SIGNING_KEY_PASSPHRASE is not the passphrase that a signing key was encrypted with/m,
  );
  const back = await copyTo(mongo, last);
  expect({ ...back, stderr: "" }).toEqual(done(/^Copied to .*last\n(.*\n)*operations\t6 documents\t/));
  expect(back.stderr).toMatch(/^Nothing may use mongodb:.* all parts must be stopped\.$/m);
  // What the second product did not touch is the same on the third storage as on the first.
  const untouched = (stdout: string) =>
    tableOf(stdout).filter((line) => /^(companies|signing keys|postings|exports)\t/.test(line));
  expect(untouched(there.stdout)).toHaveLength(4);
  expect(untouched(back.stdout)).toEqual(untouched(there.stdout));

  const third = await startProduct({ DATA_DIR: last });
  await estate.expectIn(third);
  expect(third.errors).toEqual([]);
  await third.end("SIGTERM");
});

it("refuses a database that holds anything else, and leaves it as it is", async () => {
  const dataDir = path.join(folder, "data");
  await runAdmin({ DATA_DIR: dataDir }, ["company", "create", "--name", "Acme"]);
  const database = world.direct.db();
  await database.collection("customers").insertOne({ name: "mine" });
  expect(await runAdmin({ DATA_DIR: dataDir }, ["copy", "--to", world.url])).toEqual(
    failed(/^The target mongodb:.* is not empty: it holds customers\.\n$/),
  );
  expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual(["customers"]);
});
