import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import type { Frame } from "../types.js";
import { decodeAnimation, decodeImage } from "./image.js";
import { type MediaFacts, UnreadableFileError } from "./probe/facts.js";
import { exifData, exifSegment, inspected, pngChunk, pngFile, pngHeader } from "./testing/odd-files.js";

const folder = mkdtempSync(path.join(tmpdir(), "hourglass-image-"));
afterAll(() => rmSync(folder, { recursive: true }));

const factsOf = (format: MediaFacts["format"]): MediaFacts => ({
  format,
  sizeBytes: 1,
  hasSound: false,
  hasPictures: true,
});
let files = 0;
const keep = (bytes: Buffer): string => {
  const file = path.join(folder, `file-${(files += 1)}`);
  writeFileSync(file, bytes);
  return file;
};
const decode = async (bytes: Buffer, format: MediaFacts["format"] = "png"): Promise<Frame> =>
  decodeImage(keep(bytes), factsOf(format));
const pixel = ({ rgb, width }: Frame, x: number, y: number): number[] =>
  Array.from(rgb.subarray((y * width + x) * 3, (y * width + x + 1) * 3));

/** Red on the left, blue on the right. */
const flag = (width = 40, height = 20): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "#ff0000" } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: "#0000ff" } }, left: width / 2, top: 0 },
  ]);

/** Upright strokes, 10 pixels wide, of these colors on transparent ground. */
const strokes = (inks: readonly string[], width = 20 * inks.length + 20): Sharp =>
  sharp({ create: { width, height: 110, channels: 4, background: "#00000000" } }).composite(
    inks.map((background, index) => ({
      input: { create: { width: 10, height: 90, channels: 3 as const, background } },
      left: 10 + 20 * index,
      top: 10,
    })),
  );

const hex = (levels: readonly number[]): string =>
  `#${levels.map((level) => level.toString(16).padStart(2, "0")).join("")}`;

describe("decodeImage", () => {
  it.each([
    { orientation: 1, size: [40, 20], red: [2, 10] },
    { orientation: 2, size: [40, 20], red: [37, 10] },
    { orientation: 3, size: [40, 20], red: [37, 10] },
    { orientation: 4, size: [40, 20], red: [2, 10] },
    { orientation: 5, size: [20, 40], red: [10, 2] },
    { orientation: 6, size: [20, 40], red: [10, 2] },
    { orientation: 7, size: [20, 40], red: [10, 37] },
    { orientation: 8, size: [20, 40], red: [10, 37] },
  ])("sets a picture upright by its EXIF orientation $orientation", async ({ orientation, size, red }) => {
    const frame = await decode(await flag().jpeg({ quality: 95 }).withMetadata({ orientation }).toBuffer(), "jpg");
    expect([frame.width, frame.height]).toEqual(size);
    const [r = 0, g = 0, b = 0] = pixel(frame, red[0]!, red[1]!);
    expect([r > 200, g < 60, b < 60]).toEqual([true, true, true]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])("has the size that the headers tell, turned by orientation %i", async (turn) => {
    const png = await flag().png().toBuffer();
    const jpg = await flag().jpeg().toBuffer();
    const [data, little] = [exifData(turn), exifData(turn, true)];
    const files = [
      Buffer.concat([png.subarray(0, 33), pngChunk("eXIf", data), png.subarray(33)]),
      Buffer.concat([png.subarray(0, 33), pngChunk("eXIf", little), png.subarray(33)]),
      Buffer.concat([png.subarray(0, -12), pngChunk("eXIf", data), png.subarray(-12)]),
      Buffer.concat([jpg.subarray(0, 2), exifSegment(data), exifSegment(exifData(1)), jpg.subarray(2)]),
      Buffer.concat([jpg.subarray(0, 2), exifSegment(little), jpg.subarray(2)]),
    ];
    for (const file of files) {
      const { width, height, ...facts } = await inspected(file);
      const frame = await decodeImage(keep(file), facts);
      expect([frame.width, frame.height]).toEqual([width, height]);
    }
  });

  it.each([
    [
      "what viewers pass over between segments",
      (jpg: Buffer) => [jpg.subarray(0, 20), Buffer.alloc(99), jpg.subarray(20)],
    ],
    ["a picture after it", (jpg: Buffer) => [jpg, jpg.subarray(0, 300)]],
    ["a script after it", (jpg: Buffer) => [jpg, Buffer.from("<script>alert(1)</script>")]],
  ])("decodes a JPG with %s", async (_what, pieces) => {
    const file = Buffer.concat(pieces(await flag().jpeg().toBuffer()));
    expect((await decodeImage(keep(file), await inspected(file))).width).toBe(40);
  });

  it("turns CMYK into RGB", async () => {
    const frame = await decode(await flag().toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer(), "jpg");
    const [r = 0, , b = 0] = pixel(frame, 2, 10);
    expect([frame.rgb.length, r > 150, b < 100]).toEqual([40 * 20 * 3, true, true]);
  });

  it("reduces 16 bits to 8", async () => {
    const frame = await decode(await flag().toColourspace("rgb16").png().toBuffer());
    expect([pixel(frame, 2, 10), pixel(frame, 38, 10)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
  });

  it.each([
    ["8", "b-w"],
    ["16", "grey16"],
  ])("gives gray of %s bits three channels", async (_, space) => {
    const gray = sharp({ create: { width: 3, height: 3, channels: 3, background: "#808080" } });
    const frame = await decode(await gray.toColourspace(space).png().toBuffer());
    const [r, g, b] = pixel(frame, 1, 1);
    expect([frame.rgb.length, r, g]).toEqual([27, g, b]);
    expect(Math.abs((r ?? 0) - 128)).toBeLessThanOrEqual(1);
  });

  it("lays what is transparent on white", async () => {
    const half = sharp({ create: { width: 2, height: 2, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0.5 } } });
    const [level = 0] = pixel(await decode(await half.png().toBuffer()), 0, 0);
    expect(Math.abs(level - 127)).toBeLessThanOrEqual(1);
  });

  it.each([
    ["white words on white", ["#ffffff"], "#000000"],
    ["words of pale colors", ["#ffee88", "#ddffdd"], "#000000"],
    ["black words", ["#000000"], "#ffffff"],
    ["words of strong colors", ["#cc2200", "#0044cc"], "#ffffff"],
    ["words of gray, and a few of white", ["#777777", "#777777", "#777777", "#777777", "#ffffff"], "#ffffff"],
    ["black and white words", ["#000000", "#ffffff"], "#808080"],
  ])("lays %s on a ground that shows them", async (_what, inks, ground) => {
    const frame = await decode(await strokes(inks).png().toBuffer());
    expect(hex(pixel(frame, 0, 0))).toBe(ground);
    inks.forEach((ink, index) => expect(hex(pixel(frame, 15 + 20 * index, 20))).toBe(ink));
  });

  it("looks at the outline only: what is light inside is seen on white", async () => {
    const plain = (side: number, background: string) => ({
      input: { create: { width: side, height: side, channels: 3 as const, background } },
    });
    const sticker = sharp({ create: { width: 110, height: 110, channels: 4, background: "#00000000" } }).composite([
      plain(90, "#000000"),
      plain(80, "#ffffff"),
    ]);
    expect(hex(pixel(await decode(await sticker.png().toBuffer()), 0, 0))).toBe("#ffffff");
  });

  it("lays gray with transparency on a ground, and leaves a whole picture as it is", async () => {
    const gray = await strokes(["#ffffff"]).toColourspace("b-w").png().toBuffer();
    expect((await sharp(gray).metadata()).channels).toBe(2);
    const frame = await decode(gray);
    expect([hex(pixel(frame, 0, 0)), hex(pixel(frame, 15, 20))]).toEqual(["#000000", "#ffffff"]);
    const opaque = sharp({ create: { width: 9, height: 9, channels: 4, background: "#fefefe" } });
    expect(hex(pixel(await decode(await opaque.png().toBuffer()), 4, 4))).toBe("#fefefe");
  });

  it.each([
    ["a palette", () => flag().png({ palette: true })],
    ["progressive passes", () => flag().jpeg({ quality: 95, progressive: true })],
  ])("decodes pictures with %s", async (_, make) => {
    const bytes = await make().toBuffer();
    const [r = 0, g = 0, b = 0] = pixel(await decode(bytes, bytes[0] === 0xff ? "jpg" : "png"), 2, 10);
    expect([r > 240, g < 15, b < 15]).toEqual([true, true, true]);
  });

  it("turns colors of a profile into sRGB", async () => {
    const green = sharp({ create: { width: 4, height: 4, channels: 3, background: { r: 60, g: 200, b: 90 } } });
    const wide = await green.withIccProfile("p3").png().toBuffer();
    const [stored = 0] = await sharp(wide, { ignoreIcc: true }).raw({ depth: "uchar" }).toBuffer();
    const [r = 0, g = 0, b = 0] = pixel(await decode(wide), 1, 1);
    expect(Math.abs(stored - 60)).toBeGreaterThan(10);
    expect([Math.abs(r - 60) < 4, Math.abs(g - 200) < 4, Math.abs(b - 90) < 4]).toEqual([true, true, true]);
  });

  it.each([
    [1, 10_000],
    [10_000, 1],
  ])("keeps one pixel of the narrow side of %i × %i", async (width, height) => {
    const line = sharp({ create: { width, height, channels: 3, background: "#102030" } });
    const frame = await decode(await line.png().toBuffer());
    expect([frame.width, frame.height, pixel(frame, 0, 0)]).toEqual([
      Math.min(width, 1600),
      Math.min(height, 1600),
      [16, 32, 48],
    ]);
  });

  it("forgives a JPG a few bytes too many, as some cameras write them", async () => {
    const jpg = await flag().jpeg().toBuffer();
    const longer = Buffer.concat([jpg.subarray(0, -2), Buffer.alloc(7), jpg.subarray(-2)]);
    expect((await decode(longer, "jpg")).width).toBe(40);
  });

  it("keeps a picture of one pixel", async () => {
    const one = sharp({ create: { width: 1, height: 1, channels: 3, background: "#102030" } });
    expect(pixel(await decode(await one.png().toBuffer()), 0, 0)).toEqual([16, 32, 48]);
  });

  it("shrinks 40 megapixels to a longer side of 1600", async () => {
    const header = pngChunk("IHDR", pngHeader(8000, 5000, { depth: 1, color: 0 }));
    const black = pngChunk("IDAT", deflateSync(Buffer.alloc(5000 * (1 + 8000 / 8))));
    const frame = await decode(pngFile(header, black));
    expect([frame.width, frame.height]).toEqual([1600, 1000]);
  });

  it("takes the first picture of an animation", async () => {
    expect(pixel(await decode(await animation(["#ff0000", "#00ff00"]), "gif"), 0, 0)).toEqual([255, 0, 0]);
  });

  it.each([
    ["a cut JPG", "jpg", async () => (await flag(400, 300).jpeg().toBuffer()).subarray(0, 700)],
    ["a PNG with damaged data", "png", async () => damage(await noise().png().toBuffer())],
    ["something else", "png", async () => Buffer.from("no picture at all")],
  ] as const)("says that %s cannot be decoded", async (_, format, make) => {
    await expect(decode(await make(), format)).rejects.toThrow(UnreadableFileError);
    await expect(decode(await make(), format)).rejects.toThrow(/^The file could not be decoded: \S/);
  });
});

describe("decodeAnimation", () => {
  it("gives frames with their times", async () => {
    const file = keep(await animation(["#ff0000", "#00ff00", "#0000ff"], [1000, 700, 500]));
    const frames = await decodeAnimation(file, factsOf("gif"));
    expect(frames.map((frame) => [frame.atMs, pixel(frame, 0, 0)])).toEqual([
      [0, [255, 0, 0]],
      [1000, [0, 255, 0]],
      [1700, [0, 0, 255]],
    ]);
  });

  it("takes no more frames than 24, over the whole time", async () => {
    const colors = Array.from({ length: 60 }, (_, i) => `#0000${(i + 100).toString(16).padStart(2, "0")}`);
    const frames = await decodeAnimation(keep(await animation(colors, 1000)), factsOf("gif"));
    expect(frames).toHaveLength(24);
    expect(frames.at(-1)?.atMs).toBeGreaterThan(56_000);
  });

  it("takes two frames a second at most, and hasty ones as slow as browsers show them", async () => {
    const colors = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "#ffffff" : "#000000"));
    const frames = await decodeAnimation(keep(await animation(colors, 10)), factsOf("gif"));
    expect(frames.map(({ atMs }) => atMs)).toEqual([0, 500, 1000, 1500]);
  });
});

const animation = async (colors: readonly string[], delay: number | number[] = 100): Promise<Buffer> => {
  const pages = await Promise.all(
    colors.map((background) =>
      sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const delays = typeof delay === "number" ? colors.map(() => delay) : delay;
  return sharp(pages, { join: { animated: true } })
    .gif({ delay: delays, keepDuplicateFrames: true })
    .toBuffer();
};

const noise = (): Sharp =>
  sharp({
    create: {
      width: 200,
      height: 200,
      channels: 3,
      background: "#000",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  });

/** Corrupts the compressed data in the middle and leaves all headers unchanged. */
const damage = (png: Buffer): Buffer => {
  const broken = Buffer.from(png);
  const middle = Math.floor(broken.length / 2);
  broken.fill(0xff, middle, middle + 200);
  return broken;
};
