import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import {
  exifData,
  exifSegment,
  inspected,
  jpgOfNoise,
  jpgSegment,
  mp4Box,
  pngChunk,
  pngFile,
  pngHeader,
  pngOfNoise,
} from "../testing/odd-files.js";
import { createInspector } from "./inspector.js";

const picture = (width = 40, height = 24): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "#aa5522" } });
let jpg: Buffer;
let png: Buffer;

beforeAll(async () => {
  jpg = await picture().jpeg().toBuffer();
  png = await picture().png().toBuffer();
});

/** The JPG with a segment after its first two bytes. */
const withSegment = (...segments: Uint8Array[]) => Buffer.concat([jpg.subarray(0, 2), ...segments, jpg.subarray(2)]);
/** The PNG with a chunk after its header. */
const withChunk = (chunk: Uint8Array) => Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);

describe("pictures", () => {
  it.each<[string, (plain: Sharp) => Sharp]>([
    ["JPG", (plain) => plain.jpeg()],
    ["progressive JPG", (plain) => plain.jpeg({ progressive: true })],
    ["JPG of another encoder", (plain) => plain.jpeg({ mozjpeg: true })],
    ["CMYK JPG", (plain) => plain.toColourspace("cmyk").jpeg()],
    ["gray JPG", (plain) => plain.grayscale().jpeg()],
    ["upside-down JPG", (plain) => plain.withMetadata({ orientation: 3 }).jpeg()],
    ["PNG", (plain) => plain.png()],
    ["PNG with a palette", (plain) => plain.png({ palette: true })],
    ["PNG of 16 bits", (plain) => plain.toColourspace("rgb16").png()],
    ["interlaced PNG", (plain) => plain.png({ progressive: true })],
  ])("are read in every form that encoders write: %s", async (name, encode) => {
    const bytes = await encode(picture()).toBuffer();
    const format = name.includes("JPG") ? "jpg" : "png";
    const facts = { format, width: 40, height: 24, hasSound: false, hasPictures: true };
    expect(await inspected(bytes)).toEqual({ ...facts, sizeBytes: bytes.length });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "are as wide and high as they are shown, turned by orientation %i",
    async (turn) => {
      const size = turn < 5 ? { width: 40, height: 24 } : { width: 24, height: 40 };
      for (const data of [exifData(turn), exifData(turn, true)]) {
        expect(await inspected(withSegment(exifSegment(data)))).toMatchObject(size);
        expect(await inspected(withChunk(pngChunk("eXIf", data)))).toMatchObject(size);
      }
    },
  );

  it("are upright when their metadata make no sense", async () => {
    const wrong = [Buffer.from("XX"), exifData(6).subarray(0, 12), Buffer.alloc(38, 0x4d)];
    for (const data of wrong) expect(await inspected(withSegment(exifSegment(data)))).toMatchObject({ width: 40 });
  });

  it("may have as many pixels as are allowed", async () => {
    const limits = { imagePixelsMax: 40 * 24 };
    for (const bytes of [png, jpg]) expect(await inspected(bytes, limits)).toMatchObject({ width: 40 });
    await expect(inspected(await picture(41, 24).png().toBuffer(), limits)).rejects.toThrow(
      "The picture has 984 pixels (41 × 24); at most 960 pixels are allowed.",
    );
    const data = pngChunk("IDAT", Buffer.alloc(64, 1));
    await expect(inspected(pngFile(pngChunk("IHDR", pngHeader(8000, 8000)), data))).rejects.toThrow(
      "The picture has 64 megapixels (8000 × 8000); at most 40 megapixels are allowed.",
    );
    const claim = Buffer.from(jpg);
    claim.writeUInt32BE((8000 << 16) | 8000, claim.indexOf(Buffer.from([0xff, 0xc0])) + 5);
    await expect(inspected(claim)).rejects.toThrow(/64 megapixels/);
  });

  it("are refused before they are read whole when they have too many pixels", async () => {
    const inspector = createInspector({ imagePixelsMax: 100, durationMsMax: 0 });
    const start = Buffer.concat([png.subarray(0, -12), Buffer.alloc(70_000)]);
    await expect(inspector.write(start)).rejects.toThrow(/at most 100 pixels/);
  });

  it("may have their header after megabytes of metadata, and their orientation among them", async () => {
    const thumbnails = Array<Buffer>(260).fill(jpgSegment(0xe2, Buffer.alloc(65_000, 7)));
    const turned = withSegment(...thumbnails, exifSegment(exifData(6)), ...thumbnails);
    expect(await inspected(turned)).toMatchObject({ width: 24, height: 40, sizeBytes: turned.length });
    const layers = Buffer.concat([pngChunk("prVt", Buffer.alloc(3_000_000, 7)), pngChunk("eXIf", exifData(6))]);
    expect(await inspected(withChunk(layers))).toMatchObject({ width: 24, height: 40 });
  });

  it("must have a header", async () => {
    const headless = /^The (?:PNG|JPG) file is damaged: its header cannot be read\.$/;
    const scan = jpg.indexOf(Buffer.from([0xff, 0xda]));
    for (const bytes of [jpg.subarray(0, scan), png.subarray(0, 40), pngFile(pngChunk("IHDR", pngHeader(0, 5)))]) {
      await expect(inspected(bytes)).rejects.toThrow(headless);
    }
    const tables = withSegment(...Array<Buffer>(5).fill(jpgSegment(0xdb, Buffer.alloc(65_000))));
    await expect(createInspector({ imagePixelsMax: 4e7, durationMsMax: 0 }).write(tables)).rejects.toThrow(headless);
  });

  it("may have only so many parts, which keep a parser busy", async () => {
    const many = Buffer.concat(Array<Buffer>(200_000).fill(jpgSegment(0xe5, Buffer.alloc(2))));
    await expect(inspected(withSegment(many))).rejects.toThrow(/its header cannot be read/);
  });

  it("with noise for data have right headers, so that only a decoder can tell", async () => {
    expect(await inspected(jpgOfNoise(jpg))).toEqual(await inspected(jpg));
    expect(await inspected(pngOfNoise(40, 30))).toMatchObject({ width: 40, height: 30 });
  });

  it.each([
    ["line ends", () => Buffer.from("\r\n")],
    ["zeros", () => Buffer.alloc(100_000)],
    ["further pictures, the last cut off", () => Buffer.concat([Buffer.alloc(30), jpg, jpg, jpg.subarray(0, -5)])],
    ["a film", () => Buffer.concat([mp4Box("ftyp", Buffer.from("isom")), mp4Box("mdat", Buffer.alloc(20))])],
    ["an archive", () => Buffer.from("PK\x03\x04 a whole archive", "latin1")],
    ["a script", () => Buffer.from("<script>alert(1)</script>")],
  ])("may have %s after their end", async (_what, make) => {
    for (const bytes of [jpg, png]) {
      const file = Buffer.concat([bytes, make()]);
      expect(await inspected(file)).toEqual({ ...(await inspected(bytes)), sizeBytes: file.length });
    }
  });
});
