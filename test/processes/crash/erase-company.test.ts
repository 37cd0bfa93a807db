import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { FeedServer } from "../../support/feed-server.js";
import { Deployment } from "../../support/deployment.js";
import { runAdmin, type Outcome } from "../admin-command.js";
import { CompanyEstate } from "../erase/company-estate.js";
import { ERASE_SETTINGS } from "../erase/settings.js";
import { formsOf, tracesOf } from "../erase/traces.js";

const [ERASED, KEPT] = ["quokkamarine", "numbatcharter"];

let folder: string;
let dataDir: string;
let feeds: FeedServer;
let product: Deployment;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-erase-"));
  dataDir = path.join(folder, "data");
  feeds = await FeedServer.start();
  for (const marker of [ERASED, KEPT]) {
    feeds.feeds.set(`/${marker}.xml`, CompanyEstate.feedOf(marker));
  }
  const env = { ...ERASE_SETTINGS, DATA_DIR: dataDir };
  product = await Deployment.prepare({ topology: "one-process", env });
  product.start();
  await product.ready();
});
afterEach(async () => {
  await product.end("SIGKILL");
  await feeds.close();
  await rm(folder, { recursive: true, force: true });
});

const admin = (args: readonly string[], failpoints = ""): Promise<Outcome> =>
  runAdmin({ DATA_DIR: dataDir, NODE_ENV: "test", FAILPOINTS: failpoints }, args);

const build = (marker: string): Promise<CompanyEstate> =>
  CompanyEstate.build(marker, { product, storage: { DATA_DIR: dataDir }, feeds });

it("erases a company beside a running server, which continues to serve the others", async () => {
  const [erased, kept] = [await build(ERASED), await build(KEPT)];
  const command = ["company", "delete", "--name", erased.company];
  expect(await admin(command)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^Give --with-data: /) as string,
  });
  const refused = await admin([...command, "--with-data"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^operations\t3 documents$/m);
  expect(refused.stderr).toMatch(/\nNothing was erased\. Add --yes to erase all of this for good; .*\n$/);
  await erased.expectServed();

  const running = await erased.beginLongWork();
  expect((await erased.send("GET", running)).status).toBe(200);
  const outcome = await admin([...command, "--with-data", "--yes"]);
  expect(outcome).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Erased company 2: \d+ documents, \d+ files, from /) as string,
  });
  expect(outcome.stderr).toMatch(/^Erasing postings: \d+ documents$/m);
  expect((await erased.send("GET", running)).status).toBe(401);
  expect(await erased.signIn()).toBe(401);
  expect(await tracesOf(formsOf(ERASED), dataDir)).toEqual([]);
  expect(await admin(["company", "erasures"])).toMatchObject({ stdout: expect.stringMatching(/^2\t/) as string });
  expect(await admin([...command, "--with-data", "--yes"])).toMatchObject({ code: 1 });
  await kept.expectServed();
  expect((await kept.send("GET", `${await kept.beginLongWork()}?wait=60`)).body).toMatchObject({ status: "done" });
  expect(await tracesOf(formsOf(ERASED), dataDir)).toEqual([]);
  expect(product.errors).toEqual([]);
});

it("erases a company of a server that was killed during its work, and is completed after each kill of the erasure", async () => {
  const [erased, kept] = [await build(ERASED), await build(KEPT)];
  const works = [await kept.beginLongWork()];
  await erased.beginLongWork();
  await product.end("SIGKILL");
  const command = ["company", "delete", "--name", erased.company, "--with-data", "--yes"];
  const kills = ["lock", "halt", "file", "batch=2", "batch=7", "shared", "company", "purge"];
  for (const kill of kills) expect(await admin(command, `erase.after_${kill}`)).toMatchObject({ code: null });
  expect(await admin(command)).toMatchObject({ code: 0 });
  expect(await tracesOf(formsOf(ERASED), dataDir)).toEqual([]);

  product.start();
  await product.ready();
  expect(await erased.signIn()).toBe(401);
  await kept.expectServed();
  for (const work of works) {
    expect((await kept.send("GET", `${work}?wait=60`)).body).toMatchObject({ status: "done" });
  }
  expect(await tracesOf(formsOf(ERASED), dataDir)).toEqual([]);
  expect(product.errors).toEqual([]);
});
