import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { runAdmin } from "../../processes/admin-command.js";
import { CompanyEstate } from "../../processes/erase/company-estate.js";
import { ERASE_SETTINGS } from "../../processes/erase/settings.js";
import { formsOf } from "../../processes/erase/traces.js";
import { Deployment } from "../../support/deployment.js";
import { FeedServer } from "../../support/feed-server.js";
import { LIMITS } from "../../support/limits.js";
import { freshMongo, type MongoWorld } from "./mongo-world.js";

const [ERASED, KEPT] = ["quokkamarine", "numbatcharter"];

let world: MongoWorld;
let folder: string;
let feeds: FeedServer;
beforeEach(async () => {
  world = await freshMongo();
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-erase-"));
  feeds = await FeedServer.start();
  for (const marker of [ERASED, KEPT]) feeds.feeds.set(`/${marker}.xml`, CompanyEstate.feedOf(marker));
});
afterEach(async () => {
  await feeds.close();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

/** The collections of the database in whose documents one of the words stands, those of files included. */
async function collectionsWith(words: readonly string[]): Promise<string[]> {
  const database = world.direct.db();
  const found: string[] = [];
  for (const { name } of await database.listCollections().toArray()) {
    for await (const document of database.collection(name).find({}, { raw: true })) {
      const bytes = document as unknown as Buffer;
      if (words.some((word) => bytes.includes(word))) found.push(name);
    }
  }
  return [...new Set(found)];
}

it("leaves nothing of an erased company in MongoDB, and all of the others", { timeout: LIMITS.processes }, async () => {
  const storage = { MONGODB_URL: world.url, DATA_DIR: path.join(folder, "queue") };
  const product = await Deployment.prepare({ topology: "one-process", env: { ...ERASE_SETTINGS, ...storage } });
  product.start();
  await product.ready();
  try {
    const place = { product, storage, feeds };
    const [erased, kept] = [await CompanyEstate.build(ERASED, place), await CompanyEstate.build(KEPT, place)];
    expect(await collectionsWith(formsOf(ERASED))).toEqual(
      expect.arrayContaining(["blobs.chunks", "operations", "users"]),
    );
    await erased.beginLongWork();
    const command = ["company", "delete", "--name", erased.company, "--with-data", "--yes"];
    for (const kill of ["file", "batch=5", "company"]) {
      const env = { ...storage, NODE_ENV: "test", FAILPOINTS: `erase.after_${kill}` };
      expect(await runAdmin(env, command)).toMatchObject({ code: null });
    }
    expect(await runAdmin(storage, command)).toMatchObject({ code: 0 });
    expect(await collectionsWith(formsOf(ERASED))).toEqual([]);
    expect(await erased.signIn()).toBe(401);
    await kept.expectServed();
    const usage = await runAdmin(storage, ["usage", "--json"]);
    expect(usage).toMatchObject({ code: 0 });
    const { records } = JSON.parse(usage.stdout) as { records: { name: string; documents: number; bytes: number }[] };
    expect(records.find(({ name }) => name === "users")).toMatchObject({ documents: 2 });
  } finally {
    await product.end("SIGKILL");
  }
});
