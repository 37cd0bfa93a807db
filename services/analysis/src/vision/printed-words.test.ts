import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFrame } from "../media/frame.js";
import { decodeImage } from "../media/image.js";
import { combineScales, minimumAreaBox, printRegions } from "./print-detection.js";
import { decodeCtc } from "./print-reader.js";
import { framedPrint, transparentPrint } from "./testing/stroke-print.js";
import { isPlausiblePrint, readPrint, readWords, textLines } from "./printed-words.js";

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

  it("reads nothing in noise, in lines and in one color", async () => {
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

describe("readPrint", () => {
  const unreadOf = async (...drawing: Parameters<typeof framedPrint>) => {
    const { rows, unread } = await readPrint(await framedPrint(...drawing));
    return { words: rows.flat().map(({ text }) => text), scripts: unread.map(({ script }) => script), unread };
  };

  it("tells by shape what it cannot read, and where that is", async () => {
    const { words, scripts, unread } = await unreadOf([{ text: "ЖИЛИШ ДЛЯ ЛИДИЯ", x: 60, y: 80, height: 40 }], {
      width: 900,
    });
    expect([words, new Set(scripts)]).toEqual([[], new Set(["Cyrillic"])]);
    expect(Math.min(...unread.map(({ box }) => box.left))).toBeCloseTo(60 / 900, 1);
    expect(unread[0]!.box.top).toBeCloseTo(80 / 480, 1);
  });

  it("takes capitals that Cyrillic shares with Latin for the likelier script", async () => {
    const sign = [
      { text: "PECTOPAH", x: 60, y: 80, height: 50 },
      { text: "BOCTOK", x: 60, y: 300, height: 50 },
    ];
    expect(await unreadOf(sign)).toMatchObject({ words: [], scripts: ["Cyrillic", "Cyrillic"] });
    const latin = sign.map((word, at) => ({ ...word, text: ["CAMPO", "BEACH"][at]! }));
    expect(await unreadOf(latin)).toMatchObject({ words: ["CAMPO", "BEACH"], scripts: [] });
  });

  it("writes the cells of a page's rows in one line, and the words of scattered signs apart", async () => {
    const at = (text: string, x: number, row: number) => ({ text, x, y: 40 + row * 80, height: 30 });
    const table = [at("FIRST", 40, 0), at("MAIN", 440, 0), at("SECOND", 40, 1), at("ROOM", 440, 1)];
    const print = await readPrint(await framedPrint([...table, at("THIRD", 40, 2), at("WEST", 440, 2)]));
    expect(textLines(print)).toEqual(["FIRST MAIN", "SECOND ROOM", "THIRD WEST"]);
    expect(textLines(await readPrint(await framedPrint(table.slice(0, 2))))).toEqual(["FIRST", "MAIN"]);
  });
});

describe("decodeCtc", () => {
  const steps = (...best: number[]) => ({
    best: Int32Array.from(best),
    likelihood: Float32Array.from(best, () => 0.8),
  });

  it("merges repeats that no blank separates", () => {
    const { text, confidence } = decodeCtc(steps(1, 1, 0, 1, 2, 2, 0), ["", "o", "k"]);
    expect(text).toBe("ook");
    expect(confidence).toBeCloseTo(0.8, 5);
  });

  it("has no confidence in an empty line", () => {
    expect(decodeCtc(steps(0, 0), ["", "o", "k"])).toEqual({ text: "", confidence: 0 });
  });
});

describe("smallestBox", () => {
  it("turns with the points", () => {
    const turn = Math.PI / 6;
    const corners = [
      [-40, -10],
      [40, -10],
      [40, 10],
      [-40, 10],
    ].map(([x = 0, y = 0]) => ({
      x: 100 + x * Math.cos(turn) - y * Math.sin(turn),
      y: 50 + x * Math.sin(turn) + y * Math.cos(turn),
    }));
    const box = minimumAreaBox(corners);
    expect([box.x, box.y, box.width, box.height].map(Math.round)).toEqual([100, 50, 80, 20]);
    expect(box.angle).toBeCloseTo(turn, 5);
  });

  it("is a point around one point", () => {
    expect(minimumAreaBox([{ x: 3, y: 4 }])).toMatchObject({ x: 3, y: 4, width: 0, height: 0 });
  });
});

describe("printRegions", () => {
  const mapWith = (fill: (x: number, y: number) => number): Parameters<typeof printRegions>[0] => ({
    values: Float32Array.from({ length: 64 * 32 }, (_, at) => fill(at % 64, Math.floor(at / 64))),
    stride: 64,
    width: 60,
    height: 32,
  });

  it("grows the core of a line back to the whole letters, and leaves specks and doubts out", () => {
    const [region, ...others] = printRegions(
      mapWith((x, y) => {
        if (x >= 10 && x < 40 && y >= 10 && y < 16) return 0.9;
        if (x >= 50 && x < 58 && y >= 20 && y < 28) return 0.35;
        return x === 5 && y === 25 ? 0.9 : 0;
      }),
    );
    expect(others).toEqual([]);
    expect(region!.score).toBeCloseTo(0.9, 1);
    expect(region!.box.x).toBeCloseTo(24.5, 1);
    expect(region!.box.height).toBeGreaterThan(10);
  });

  it("does not look at what was filled up", () => {
    expect(printRegions(mapWith((x) => (x >= 60 ? 1 : 0)))).toEqual([]);
  });
});

describe("mostOfEachLine", () => {
  const region = (x: number, width: number, height = 20): Parameters<typeof combineScales>[0][number] => ({
    score: 0.8,
    box: { x, y: 50, width, height, angle: 0 },
  });

  it("prefers the box from afar where near by letters got lost, and where nothing was seen", () => {
    const whole = region(100, 120);
    expect(combineScales([region(110, 90)], [whole])).toEqual([whole]);
    expect(combineScales([], [whole])).toEqual([whole]);
  });

  it("keeps what near by is as long, and lines that run together from afar", () => {
    const near = region(100, 118);
    expect(combineScales([near], [region(100, 120)])).toEqual([near]);
    expect(combineScales([near], [region(100, 160, 60)])).toEqual([near]);
  });
});

describe("isPlausiblePrint", () => {
  it.each([
    "EXIT",
    "Le Shoe Boutique",
    "24",
    "#7 km/h",
    "出口",
    "YouTube",
    "RM175LS",
    "iPhone 15 by eBay",
    "McCafe by McDonald's",
  ])("takes %s for print", (text) => {
    expect(isPlausiblePrint(text)).toBe(true);
  });

  it.each(["", "-", "I", "=~-a/", "lllll", "口a1", "Mara3UH OTKpbIT", "noKanoBaTb Ha", "BxOn CnpaBa OT KacCbl"])(
    "takes %s for a pattern",
    (text) => {
      expect(isPlausiblePrint(text)).toBe(false);
    },
  );
});
