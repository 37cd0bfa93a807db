import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { numberedItems, rss } from "../testing/feeds.js";
import type { FeedDocument, NoFeedReason } from "./read-feed.js";
import { createReadingThread, type ReadFeed } from "./reading-thread.js";

/** The thread as it is built; its sources cannot be run by a thread. */
const BUILT = new URL("../../../../dist/platforms/news/feeds/reading-worker.js", import.meta.url);
/** A thread whose fate the document decides. */
const FATEFUL = `
export const read = ({ name }) => {
  if (name === "endless") for (;;);
  if (name === "exit") process.exit(1);
  if (name === "deep") { const dive = () => dive() + 1; dive(); }
  return { reading: { postings: [], skipped: 0, wishes: {}, isCut: false } };
};`;

const folder = mkdtempSync(path.join(tmpdir(), "hourglass-reading-"));
const fateful = pathToFileURL(path.join(folder, "worker.mjs"));
writeFileSync(fateful, FATEFUL);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function document(text: string, name = "feed"): FeedDocument {
  return { bytes: Buffer.from(text), url: "https://feeds.example.org/", name, readAt: 1 };
}

async function reasonOf(read: ReadFeed, given: FeedDocument): Promise<NoFeedReason | "read"> {
  return read(given).then(
    () => "read" as const,
    (error: unknown) => (error as { reason: NoFeedReason }).reason,
  );
}

it("reads feeds, and says what is none", async () => {
  const read = createReadingThread({ worker: BUILT });
  const { postings } = await read(document(rss(numberedItems(2, 0))));
  expect(postings.map(({ text }) => text)).toEqual(["Ship 2 has arrived", "Ship 1 has arrived"]);
  expect(await reasonOf(read, document("<html></html>"))).toBe("html");
});

it.each(["endless", "exit", "deep"])("survives a document that is %s, and reads the next one", async (fate) => {
  const read = createReadingThread({ worker: fateful, timeoutMs: 2000 });
  const [first, second] = await Promise.all([reasonOf(read, document("", fate)), reasonOf(read, document("", "well"))]);
  expect([first, second]).toEqual(["exhausting", "read"]);
});
