import { CompanyErasures } from "@hourglass/auth";
import { openGallery } from "@hourglass/media";
import { createLogger, Lifecycle, openStorage } from "@hourglass/runtime";
import { allData, readStandaloneConfig } from "@hourglass/standalone";
import { expect, it, onTestFinished } from "vitest";
import { startServer } from "../support/server.js";

/** Has every platform open what it keeps. */
const ALL_PLATFORMS = {
  EXTRA_PLATFORMS: "bluesky,mastodon",
  NEWS_FEEDS: "none",
  NEWS_GDELT: "all",
  NEWSAPI_KEY: "a-key",
  INSTAGRAM_ACCESS_TOKEN: "a-token",
  INSTAGRAM_USER_ID: "17841400000000000",
  FACEBOOK_ACCESS_TOKEN: "a-token",
  FACEBOOK_PAGES: "page",
  LINKEDIN_ACCESS_TOKEN: "a-token",
  REDDIT_CLIENT_ID: "id",
  REDDIT_CLIENT_SECRET: "secret",
  TIKTOK_CLIENT_KEY: "key",
  TIKTOK_CLIENT_SECRET: "secret",
  X_BEARER_TOKEN: "a-token",
  YOUTUBE_API_KEY: "a-key",
};

it("declares of every collection that the product opens whose documents it holds", async () => {
  const server = await startServer(ALL_PLATFORMS);
  onTestFinished(() => server.close());
  const log = createLogger("silent");
  const lifecycle = new Lifecycle(log);
  const config = readStandaloneConfig({ ...server.storage, DATA_DIR: server.dataDir });
  const { contents, ...storage } = await openStorage({ config, log, lifecycle, parts: ["store", "blobs", "contents"] });
  // What only commands open.
  await openGallery(storage);
  await CompanyErasures.open(storage.store);
  const names = await contents.names();
  await lifecycle.stop(1000);
  const declared = allData(config).flatMap(({ collections }) => collections.map(({ name }) => name));
  expect(new Set(declared).size).toBe(declared.length);
  // Who adds a collection says in its declaration how its documents belong to companies, so that they are erased with them.
  expect(names.filter((name) => !declared.includes(name))).toEqual([]);
  // Signing keys are files beside the embedded store.
  expect(declared.filter((name) => !names.includes(name) && name !== "signing_keys")).toEqual([]);
});

it("declares collections before those by whose documents theirs are found, in the same service", () => {
  for (const { collections } of allData(readStandaloneConfig({}))) {
    const names = collections.map(({ name }) => name);
    for (const { name, belongs } of collections) {
      const parents = "because" in belongs ? [] : belongs.flatMap((each) => (each.of === "parent" ? each.parent : []));
      for (const parent of parents) expect(names.indexOf(parent)).toBeGreaterThan(names.indexOf(name));
    }
  }
});
