import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeImage } from "../../decode/image/decode-image.js";
import { createFrame } from "../../decode/image/frame.js";
import { readWords } from "./index.js";
import { framedPrint, transparentPrint } from "./testing/stroke-print.js";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "words-"));
});
afterAll(() => rm(folder, { recursive: true }));

const textsOf = async (...drawing: Parameters<typeof framedPrint>): Promise<string[]> =>
  (await readWords(await framedPrint(...drawing))).map(({ text }) => text);

describe("readWords", () => {
  it("reads words from the top and from the left, with where they stand", async () => {
    const frame = await framedPrint([
      { text: "SECOND", x: 60, y: 300, height: 50 },
      { text: "FIRST", x: 60, y: 80, height: 50 },
    ]);
    const lines = await readWords(frame);
    expect(lines.map(({ text }) => text)).toEqual(["FIRST", "SECOND"]);
    const [first] = lines;
    expect(first!.prob).toBeGreaterThan(0.8);
    expect(first!.box.left).toBeCloseTo(60 / 640, 1);
    expect(first!.box.top).toBeCloseTo(80 / 480, 1);
  });

  it("reads words that are turned, upright, or on their head", async () => {
    expect(await textsOf([{ text: "HOTEL", x: 80, y: 320, height: 60, turn: -25 }])).toEqual(["HOTEL"]);
    expect(await textsOf([{ text: "CINEMA", x: 300, y: 420, height: 50, turn: -90 }])).toEqual(["CINEMA"]);
    expect(await textsOf([{ text: "GARDEN", x: 500, y: 260, height: 60, turn: 180 }])).toEqual(["GARDEN"]);
  });

  it.each(["#ffffff", "#000000"])("reads words in %s on transparent ground", async (ink) => {
    const file = path.join(folder, `${ink.slice(1)}.png`);
    await writeFile(file, await transparentPrint([{ text: "HARBOUR", x: 120, y: 200, height: 60 }], ink));
    const facts = { format: "png", sizeBytes: 1, hasSound: false, hasPictures: true } as const;
    const lines = await readWords(await decodeImage(file, facts));
    expect(lines.map(({ text }) => text)).toEqual(["HARBOUR"]);
  });

  it("reads nothing in noise, in lines and in one colour", async () => {
    let state = 1;
    const grain = Uint8Array.from({ length: 400 * 300 * 3 }, () => (state = (state * 48_271) % 2_147_483_647) % 256);
    expect(await readWords(createFrame({ width: 400, height: 300, rgb: grain, atMs: 0 }))).toEqual([]);
    const bars = Array.from({ length: 24 }, (_, at) => `<path d="M${at * 26} 0V480" stroke="#333" stroke-width="5"/>`);
    expect(await textsOf([], { background: bars.join("") })).toEqual([]);
    expect(await textsOf([])).toEqual([]);
  });

  it("reads pictures of any shape, the smallest too", async () => {
    expect(await readWords(createFrame({ width: 1, height: 1, rgb: new Uint8Array(3), atMs: 0 }))).toEqual([]);
    expect(await textsOf([{ text: "HARBOUR", x: 40, y: 30, height: 40 }], { width: 1600, height: 100 })).toEqual([
      "HARBOUR",
    ]);
  });
});
