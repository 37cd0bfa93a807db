import { articleIdOf, zipOf } from "@hourglass/demo";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BadArchive, readArchive, unzipped } from "./archive.js";

const COLUMNS = 27;
const URL_OF_ARTICLE = "https://news.example.org/kestrel";
const TITLE = "<PAGE_TITLE>Kestrel &amp; Peregrine go on sale</PAGE_TITLE>";
const GOOD: Readonly<Record<number, string>> = {
  0: "20261122120000-0",
  1: "20261122120000",
  2: "1",
  3: "news.example.org",
  4: URL_OF_ARTICLE,
  11: "ada example",
  13: "kestrel phones;makers association",
  18: "https://news.example.org/i.jpg",
  23: "Kestrel Phone,12;Ada Example,90",
  26: `<PAGE_LINKS></PAGE_LINKS>${TITLE}`,
};

const row = (changed: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: COLUMNS }, (_, column) => changed[column] ?? GOOD[column] ?? "").join("\t");
const archiveOf = (...lines: readonly string[]): Buffer => zipOf("gkg.csv", lines.map((line) => `${line}\n`).join(""));
const read = (...lines: readonly string[]) => readArchive(archiveOf(...lines));

describe("a row of GKG", () => {
  it("becomes a posting with its title, of the time at which GDELT saw it", async () => {
    expect(await read(row())).toEqual({
      skipped: 0,
      postings: [
        {
          socialId: articleIdOf(URL_OF_ARTICLE),
          url: URL_OF_ARTICLE,
          postedAt: Date.UTC(2026, 10, 22, 12),
          text: "Kestrel & Peregrine go on sale",
          matchText: "Ada Example\nkestrel phones\nmakers association\nKestrel Phone",
          language: "en",
          type: "article",
          author: { username: "news.example.org", type: "publisher" },
          media: ["https://news.example.org/i.jpg"],
          moreInfo: {
            source: "gdelt",
            domain: "news.example.org",
            date: "first_seen",
            image: "https://news.example.org/i.jpg",
          },
        },
      ],
    });
  });

  it.each([
    ["fra", "fr"],
    ["zho", "zh"],
    ["deu", "de"],
    ["hbs", "sr-Latn"],
    ["yue", "yue"],
  ])("that GDELT translated from %s has the language %s", async (code, language) => {
    const { postings } = await read(row({ 25: `srclc:${code};eng:Moses 2.1.1 / MosesCore` }));
    expect(postings[0]?.language).toBe(language);
  });

  it("without what may be missing has the host as publisher", async () => {
    const { postings } = await read(row({ 3: "", 11: "", 13: "", 18: "none", 23: "" }));
    expect(postings[0]).toMatchObject({ author: { username: "news.example.org" } });
    expect(postings[0]).not.toHaveProperty("media");
    expect(postings[0]).not.toHaveProperty("matchText");
  });

  it.each([
    ["too few columns", row().split("\t").slice(1).join("\t")],
    ["too many columns", `${row()}\tmore`],
    ["a document that is no page of the web", row({ 2: "2", 4: "BBC Monitoring" })],
    ["an address that is none of the web", row({ 4: "javascript:alert(1)" })],
    ["a time that is none", row({ 1: "20261322120000" })],
    ["no title", row({ 26: "" })],
    ["an empty title", row({ 26: "<PAGE_TITLE> <b></b> </PAGE_TITLE>" })],
    ["more bytes than are read", row({ 17: "x".repeat(1024 * 1024) })],
  ])("with %s is left out and counted", async (_what, bad) => {
    const { postings, skipped } = await read(bad, row());
    expect([postings.length, skipped]).toEqual([1, 1]);
  });

  it("that stands twice is one posting, and empty lines are none", async () => {
    const { postings, skipped } = await read(row(), "", row());
    expect([postings.length, skipped]).toEqual([1, 0]);
  });

  it("whatever its columns hold, gives a posting as JSON or is counted", async () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("20261122120000", "1", "<PAGE_TITLE>", TITLE),
    );
    const changes = fc.dictionary(fc.integer({ min: 0, max: COLUMNS - 1 }).map(String), value, { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        const line = row(changed);
        const { postings, skipped } = await read(line);
        expect(postings.length + skipped).toBeGreaterThan(0);
        expect(JSON.parse(JSON.stringify(postings))).toEqual(postings);
        for (const { postedAt, text } of postings) expect([Number.isFinite(postedAt), text]).not.toContain("");
      }),
      { numRuns: repeats(200) },
    );
  });
});

describe("an archive", () => {
  const good = archiveOf(row());
  const changed = (at: number, bytes: readonly number[]): Buffer => {
    const copy = Buffer.from(good);
    copy.set(bytes, at < 0 ? copy.length + at : at);
    return copy;
  };
  const directory = good.readUInt32LE(good.length - 6);

  it.each([
    ["that is none", Buffer.from("<html></html>"), /no ZIP archive/],
    ["that is empty", Buffer.alloc(0), /no ZIP archive/],
    ["of which a part is missing", good.subarray(0, good.length / 2), /only a part/],
    ["with two files", changed(-12, [2, 0]), /holds 2 files/],
    ["with a wrong directory", changed(-6, [255, 255]), /directory/],
    ["with a wrong header", changed(0, [0, 0]), /header/],
    ["that is encrypted", changed(directory + 8, [1, 0]), /not known/],
    ["packed otherwise", changed(directory + 10, [12, 0]), /not known/],
    ["with another checksum", changed(directory + 16, [0, 0, 0, 0]), /checksum/],
    ["with another size", changed(directory + 24, [1, 0, 0, 0]), /checksum/],
    ["that is said to be huge", changed(directory + 24, [255, 255, 255, 255]), /larger/],
    ["with a broken content", changed(40, [255, 255, 255, 255]), /unpacked|checksum/],
  ])("%s is refused", async (_what, archive, message) => {
    const refused: unknown = await readArchive(archive).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadArchive);
    expect((refused as Error).message).toMatch(message);
  });

  it("that grows beyond what it states is not unpacked any further", async () => {
    const bomb = zipOf("bomb", Buffer.alloc(10_000_000));
    const at = bomb.readUInt32LE(bomb.length - 6);
    bomb.writeUInt32LE(1000, at + 24);
    let size = 0;
    const reading = async () => {
      for await (const chunk of unzipped(bomb, 100_000)) size += chunk.length;
    };
    await expect(reading()).rejects.toThrow(/larger/);
    expect(size).toBeLessThanOrEqual(100_000);
  });

  it("whatever bytes it has, is read or refused", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 5 }), async (changes) => {
        const archive = Buffer.from(good);
        for (const [at, byte] of changes) archive[at] = byte;
        const outcome: unknown = await readArchive(archive).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(BadArchive);
      }),
      { numRuns: repeats(300) },
    );
  });
});
