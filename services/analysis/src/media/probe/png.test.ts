import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { exifData, inspected, pngChunk, pngFile, pngHeader, pngOfNoise } from "../testing/odd-files.js";

const picture = (width = 12, height = 9) => sharp({ create: { width, height, channels: 4, background: "#11223344" } });
const START_BYTES = 33;
const data = pngChunk("IDAT", Buffer.alloc(64, 1));
let png: Buffer;

beforeAll(async () => {
  png = await picture().png().toBuffer();
});

/** A file with this header and content that is otherwise valid. */
const withHeader =
  (header: Buffer, ...chunks: Buffer[]) =>
  () =>
    inspected(pngFile(pngChunk("IHDR", header), ...chunks));

describe("PNG files", () => {
  it("are read in every form that encoders write", async () => {
    const facts = { format: "png", width: 12, height: 9, hasSound: false, hasPictures: true };
    const forms = [
      png,
      await picture().png({ palette: true }).toBuffer(),
      await picture().png({ progressive: true }).toBuffer(),
      await picture().toColourspace("rgb16").png().toBuffer(),
      await picture().removeAlpha().toColourspace("b-w").png().toBuffer(),
      await picture().withMetadata({ density: 300 }).png({ compressionLevel: 0 }).toBuffer(),
    ];
    for (const form of forms) expect(inspected(form)).toEqual({ ...facts, sizeBytes: form.length });
  });

  it("may have as many pixels as are allowed", async () => {
    const limits = { imagePixelsMax: 12 * 9 };
    expect(inspected(png, limits)).toMatchObject({ width: 12 });
    const larger = await picture(13, 9).png().toBuffer();
    expect(() => inspected(larger, limits)).toThrow(
      "The picture has 117 pixels (13 × 9); at most 108 pixels are allowed.",
    );
    expect(withHeader(pngHeader(8000, 8000), data)).toThrow(
      "The picture has 64 megapixels (8000 × 8000); at most 40 megapixels are allowed.",
    );
  });

  it("must have a header that makes sense", () => {
    expect(withHeader(pngHeader(0, 5), data)).toThrow(/has no pixels/);
    expect(withHeader(pngHeader(5, 5, { depth: 4 }), data)).toThrow(/color type 2 with 4 bits does not exist/);
    expect(withHeader(pngHeader(5, 5, { color: 1 }), data)).toThrow(/color type 1/);
    const wrong = Buffer.from(png);
    wrong[START_BYTES - 1]! ^= 1;
    expect(() => inspected(wrong)).toThrow(/the checksum of its header is wrong/);
    expect(() => inspected(pngFile(data))).toThrow(/does not begin with its header/);
  });

  it("must have their data, in one place and undamaged", () => {
    const header = pngChunk("IHDR", pngHeader(5, 5));
    const text = pngChunk("tEXt", Buffer.from("Title\0x"));
    expect(inspected(pngFile(header, text, data, data, text))).toMatchObject({ width: 5 });
    expect(() => inspected(pngFile(header, text))).toThrow(/no data of a picture/);
    expect(() => inspected(pngFile(header, data, text, data))).toThrow(/interrupted/);
    expect(() => inspected(pngFile(header, pngChunk("ABCD", Buffer.alloc(1)), data))).toThrow(/unexpected chunk ABCD/);
    const wrong = Buffer.from(png);
    wrong[wrong.indexOf("IDAT") + 10]! ^= 1;
    expect(() => inspected(wrong)).toThrow(/the checksum of its chunk IDAT is wrong/);
  });

  it("must have a palette where one is needed", () => {
    const indexed = pngHeader(5, 5, { color: 3 });
    const palette = pngChunk("PLTE", Buffer.alloc(6));
    expect(withHeader(indexed, palette, data)()).toMatchObject({ width: 5 });
    expect(withHeader(indexed, data)).toThrow(/palette is missing/);
    expect(withHeader(indexed, pngChunk("PLTE", Buffer.alloc(5)), data)).toThrow(/palette has a wrong length/);
    expect(withHeader(indexed, palette, palette, data)).toThrow(/palette in a wrong place/);
  });

  it("are refused when the data is too little for the pixels that they claim", () => {
    expect(withHeader(pngHeader(6000, 6000), data)).toThrow(
      /6000 × 6000 pixels large, but its 64 bytes cannot hold that/,
    );
  });

  it("are accepted with few bytes when those are enough", async () => {
    const plain = await sharp({ create: { width: 1500, height: 1500, channels: 3, background: "red" } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(inspected(plain)).toMatchObject({ width: 1500, height: 1500 });
  });

  it("are refused with a chunk that claims more than there is", () => {
    const wrong = Buffer.from(png);
    const at = wrong.indexOf("IDAT") - 4;
    wrong.writeUInt32BE(0x7fffffff, at);
    expect(() => inspected(wrong)).toThrow(/at most 100 MiB/);
    wrong.writeUInt32BE(0xffffffff, at);
    expect(() => inspected(wrong)).toThrow(/its chunk IDAT says that it has 4294967295 bytes/);
    wrong.writeUInt32BE(5000, at);
    expect(() => inspected(wrong)).toThrow(/ends too early/);
  });

  it("may have what viewers pass over", () => {
    const header = pngChunk("IHDR", pngHeader(5, 5));
    const wrong = pngChunk("tEXt", Buffer.from("Title\0x"));
    wrong[wrong.length - 1]! ^= 1;
    const end = pngChunk("IEND", Buffer.from("no end is empty"));
    const odd = [
      pngFile(header, pngChunk("prVt", Buffer.alloc(9)), data, pngChunk("zzZz", Buffer.alloc(0))),
      pngFile(header, wrong, data, wrong),
      pngFile(header, pngChunk("PLTE", Buffer.alloc(7)), data),
      pngFile(pngChunk("IHDR", pngHeader(5, 5, { color: 0 })), pngChunk("PLTE", Buffer.alloc(6)), data),
      Buffer.concat([pngFile(header, data).subarray(0, -12), end]),
    ];
    for (const file of odd) expect(inspected(file)).toMatchObject({ width: 5, height: 5 });
  });

  it.each([
    ["line ends", Buffer.from("\r\n")],
    ["zeros", Buffer.alloc(100_000)],
    ["a chunk", pngChunk("tEXt", Buffer.from("Title\0x"))],
    ["an archive", Buffer.from("PK\x03\x04 hidden", "latin1")],
    ["a script", Buffer.from("<script>alert(1)</script>")],
  ])("may have %s after their end", (_what, more) => {
    const file = Buffer.concat([png, more]);
    expect(inspected(file)).toEqual({ ...inspected(png), sizeBytes: file.length });
  });

  it("are as wide and high as they are shown", () => {
    const header = pngChunk("IHDR", pngHeader(12, 9));
    const exif = (orientation: number) => pngChunk("eXIf", exifData(orientation));
    for (const orientation of [1, 2, 3, 4]) expect(inspected(pngFile(header, exif(orientation), data)).width).toBe(12);
    for (const orientation of [5, 6, 7, 8]) {
      expect(inspected(pngFile(header, exif(orientation), data))).toMatchObject({ width: 9, height: 12 });
    }
    // Decoders do not wait for what follows the picture.
    expect(inspected(pngFile(header, data, exif(6)))).toMatchObject({ width: 12, height: 9 });
  });

  it("with noise for data have right headers, so that only a decoder can tell", async () => {
    const noisy = pngOfNoise(40, 30);
    expect(inspected(noisy)).toMatchObject({ width: 40, height: 30 });
    await expect(sharp(noisy).raw().toBuffer()).rejects.toThrow();
  });
});
