import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ImportAdministration } from "@hourglass/insight";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { UsageError, type Administration, type OptionValues } from "./administration.js";
import { COMMANDS } from "./commands.js";

const LINE = { text_of_post: "a text", platform: "reddit", post_date: "1/31/2026", post_time: "10:20:30" };

let folder: string;
let told: string;
let batches: Posting[][];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-import-"));
  told = "";
  batches = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told += String(text);
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Stores all postings but those on news, which are refused. */
const importPostings: ImportAdministration["importPostings"] = (_insight, postings) => {
  const message = "Give a platform of the search: reddit.";
  const wrong = [...postings.entries()].filter(([, { socialId }]) => socialId === "elsewhere");
  const violations = wrong.map(([index]) => ({ field: `postings[${index}].platform`, message }));
  if (violations.length > 0) return Promise.reject(AppError.invalid(violations));
  batches.push([...postings]);
  return Promise.resolve({ accepted: postings.length, duplicates: 0, unmatched: 0, erased: 0 });
};

async function run(name: string, content: string, values: OptionValues = {}): Promise<string[]> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  const imports = () => Promise.resolve({ importPostings, mustExist: () => Promise.resolve() });
  return COMMANDS["import"]!.run({ imports } as unknown as Administration, { insight: "7", file, ...values });
}

const count = (lines: readonly string[], name: string) =>
  Number(lines.find((line) => line.startsWith(`${name}\t`))?.split("\t")[1]);

describe("the import command", () => {
  it("stores JSON Lines in batches of at most 500, and reports its progress", async () => {
    const lines = Array.from({ length: 1201 }, (_, index) => JSON.stringify({ ...LINE, social_id: String(index) }));
    const result = await run("postings.ndjson", lines.join("\n"));
    expect(batches.map((batch) => batch.length)).toEqual([500, 500, 201]);
    expect(batches.flat().map(({ socialId }) => Number(socialId))).toEqual([...lines.keys()]);
    expect([count(result, "rows"), count(result, "accepted"), count(result, "left out")]).toEqual([1201, 1201, 0]);
    expect(told).toContain("1000 rows read, 1000 postings stored\n");
  });

  it("leaves out and explains rows that are no postings", async () => {
    const lines = [
      JSON.stringify({ ...LINE, social_id: "a" }),
      "{",
      JSON.stringify({ ...LINE, social_id: "b", like_count: "many" }),
      JSON.stringify({ ...LINE, social_id: "c" }),
    ];
    const result = await run("postings.ndjson", lines.join("\n"));
    expect(batches.flat().map(({ socialId }) => socialId)).toEqual(["a", "c"]);
    expect([count(result, "rows"), count(result, "accepted"), count(result, "left out")]).toEqual([4, 2, 2]);
    expect(told).toMatch(/^Row 2 is left out: This line is not valid JSON/m);
    expect(told).toMatch(/^Row 3 is left out: like_count: Give a whole number/m);
  });

  it("stores nothing of a file whose last row contradicts how its days were read", async () => {
    const row = (created: string, id: number) => `reddit,${created},p${id},x`;
    const rows = Array.from({ length: 700 }, (_, id) => row("1/31/2026 10:00", id));
    const csv = ["platform,posted_at,social_id,text_of_post", ...rows, row("31/1/2026 10:00", 700)].join("\n");
    await expect(run("a.csv", csv)).rejects.toThrow(/date_format|m\/d\/yyyy/);
    expect(batches).toEqual([]);
    const ambiguous = csv.replaceAll("1/31/2026", "3/4/2026");
    await run("b.csv", ambiguous, { "date-format": "d/m/yyyy" });
    expect(batches.flat()).toHaveLength(701);
  });

  it("warns of what it does with a file before it stores any of it", async () => {
    await run("a.csv", "platform,posted_at,social_id,text_of_post,mood\nreddit,3/4/2026 10:00,a,x,good\n");
    expect(told).toMatch(/^Warning: Columns that are not used: mood/m);
    expect(told).toMatch(/^Warning: Row 2 has 3\/4\/2026/m);
    expect(told.lastIndexOf("Warning:")).toBeLessThan(told.indexOf("postings stored"));
  });

  it("ends at rows of platforms that the insight does not have, and names them by their numbers", async () => {
    const csv =
      "platform,post_date,post_time,social_id,text_of_post\nreddit,never,0,a,x\nreddit,1/31/2026,10:20:30,elsewhere,x\n";
    await expect(run("a.csv", csv)).rejects.toThrow(
      /^Row 3, platform: [Gg]ive a platform of the search: reddit\. .*repeat/,
    );
    expect(batches).toEqual([]);
  });

  it("reads CSV by a preset and by a map", async () => {
    const map = path.join(folder, "map.json");
    await writeFile(map, '{"platform":{"value":"reddit"}}');
    const csv = "id,timestamp,body\n1,2026-01-31 10:20:30,one\n2,never,two\n";
    const result = await run("postings.txt", csv, { preset: "4cat", map });
    expect(batches.flat()).toMatchObject([{ socialId: "1", textOfPost: "one" }]);
    expect(count(result, "left out")).toBe(1);
    expect(told).toMatch(/^Row 3 is left out: posted_at: /m);
  });

  it("reads our own exports without either", async () => {
    await run("export.csv", "platform,post_date,post_time,social_id,text_of_post\nreddit,1/31/2026,10:20:30,9,x\n");
    expect(batches.flat()).toMatchObject([{ socialId: "9" }]);
  });

  it.each([
    [{ insight: "0" }, /--insight/],
    [{ insight: "x" }, /--insight/],
    [{ preset: "4cats" }, /Did you mean 4cat\?/],
    [{ match: "yes" }, /--match/],
  ])("refuses %j", async (values, message) => {
    const failure = run("a.ndjson", "", values);
    await expect(failure).rejects.toThrow(UsageError);
    await expect(failure).rejects.toThrow(message);
  });

  it("refuses a file that is not there and a map that is none", async () => {
    await expect(run("a.csv", "", { file: path.join(folder, "nothing.csv") })).rejects.toThrow(/cannot be read/);
    const map = path.join(folder, "map.json");
    await writeFile(map, '{"text":"body"}');
    await expect(run("a.csv", "", { map })).rejects.toMatchObject({ violations: [{ field: "map.text" }] });
    await writeFile(map, "{");
    await expect(run("a.csv", "", { map })).rejects.toThrow(/not valid JSON/);
  });
});
