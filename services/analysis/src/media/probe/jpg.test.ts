import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { exifData, exifSegment, inspected, jpgOfNoise, jpgSegment, mp4Box } from "../testing/odd-files.js";

const picture = (width = 40, height = 24) => sharp({ create: { width, height, channels: 3, background: "#aa5522" } });
let jpg: Buffer;

beforeAll(async () => {
  jpg = await picture().jpeg().toBuffer();
});

/** The picture with a modified frame header; `header` begins at its marker. */
function withHeader(change: (header: Buffer) => void): Buffer {
  const bytes = Buffer.from(jpg);
  change(bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xc0]))));
  return bytes;
}

/** The picture with a segment inserted after its first two bytes. */
const withSegment = (segment: Uint8Array) => Buffer.concat([jpg.subarray(0, 2), segment, jpg.subarray(2)]);

describe("JPG files", () => {
  it("are read in every form that encoders write", async () => {
    const facts = { format: "jpg", width: 40, height: 24, hasSound: false, hasPictures: true };
    const forms = [
      jpg,
      await picture().jpeg({ progressive: true }).toBuffer(),
      await picture().jpeg({ mozjpeg: true }).toBuffer(),
      await picture().toColourspace("cmyk").jpeg().toBuffer(),
      await picture().grayscale().jpeg().toBuffer(),
      await picture().jpeg({ chromaSubsampling: "4:4:4", optimiseCoding: true }).toBuffer(),
      await picture().withMetadata({ orientation: 3 }).jpeg().toBuffer(),
    ];
    for (const form of forms) expect(inspected(form)).toEqual({ ...facts, sizeBytes: form.length });
  });

  it("may have fill bytes before markers and restart markers in their data", () => {
    expect(inspected(withSegment(Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 2])))).toMatchObject({ width: 40 });
    const restarts = Buffer.concat([
      jpg.subarray(0, -2),
      Buffer.from([0xff, 0xd0, 1, 0xff, 0, 0xff, 0xd1, 0xff, 0xff]),
      jpg.subarray(-1),
    ]);
    expect(inspected(restarts)).toMatchObject({ width: 40 });
  });

  it("may have a little between their segments that decoders pass over", () => {
    const comment = jpgSegment(0xfe, Buffer.from("a comment"));
    const between = (junk: Uint8Array) => inspected(withSegment(Buffer.concat([comment, junk, comment])));
    expect(between(Buffer.from([0xff, 0x01, 0xff, 0xd0, 0xff, 0xd7]))).toMatchObject({ width: 40 });
    expect(between(Buffer.from(`junk\xff\0${"\0".repeat(93)}`, "latin1"))).toMatchObject({ width: 40 });
    expect(() => between(Buffer.alloc(100))).toThrow(/does not begin where the one before ends/);
  });

  it.each([false, true])("are as wide and high as they are shown (little-endian: %s)", (little) => {
    const sized = (orientation: number) => inspected(withSegment(exifSegment(exifData(orientation, little))));
    for (const orientation of [0, 1, 2, 3, 4, 9]) expect(sized(orientation)).toMatchObject({ width: 40, height: 24 });
    for (const orientation of [5, 6, 7, 8]) expect(sized(orientation)).toMatchObject({ width: 24, height: 40 });
  });

  it("are upright when their metadata make no sense", () => {
    const turned = exifData(6);
    const fields = Buffer.from(turned).fill(0xff, 8, 10);
    const nowhere = Buffer.from(turned).fill(0xff, 4, 8);
    const wrong = [Buffer.from("XX"), turned.subarray(0, 12), turned.subarray(0, 30), nowhere, Buffer.alloc(38, 0x4d)];
    for (const data of wrong) expect(inspected(withSegment(exifSegment(data)))).toMatchObject({ width: 40 });
    expect(inspected(withSegment(exifSegment(fields)))).toMatchObject({ width: 24 });
    const first = Buffer.concat([exifSegment(exifData(1)), exifSegment(turned)]);
    expect(inspected(withSegment(first))).toMatchObject({ width: 40 });
  });

  it("must have a header that decoders understand", () => {
    expect(() => inspected(withHeader((header) => (header[1] = 0xc9)))).toThrow(
      /rare way \(lossless, hierarchical or arithmetic\)/,
    );
    expect(() => inspected(withHeader((header) => (header[4] = 12)))).toThrow(
      /12 bits for each color of a pixel; only 8/,
    );
    expect(() => inspected(withHeader((header) => (header[11] = 0x50)))).toThrow(/sampling/);
    expect(() => inspected(withHeader((header) => (header[13] = header[10]!)))).toThrow(
      /two of its colors are the same/,
    );
    expect(() => inspected(withHeader((header) => header.writeUInt16BE(0, 5)))).toThrow(/has no pixels/);
    expect(() => inspected(withHeader((header) => (header[9] = 2)))).toThrow(/header has a wrong length/);
  });

  it("must have their parts in order", () => {
    const scan = jpg.indexOf(Buffer.from([0xff, 0xda]));
    const header = jpg.indexOf(Buffer.from([0xff, 0xc0]));
    expect(() => inspected(Buffer.concat([jpg.subarray(0, header), jpg.subarray(scan)]))).toThrow(
      /begins before its header/,
    );
    expect(() => inspected(Buffer.concat([jpg.subarray(0, scan), jpg.subarray(-2)]))).toThrow(
      /a part of its picture is missing/,
    );
    expect(() => inspected(withSegment(Buffer.from([0xff, 0xd8])))).toThrow(/unexpected marker D8/);
    expect(() => inspected(withSegment(Buffer.from([0xff, 0xe0, 0, 1])))).toThrow(/impossible length/);
    expect(() => inspected(withSegment(Buffer.from([0xff, 0xc4, 0, 4, 0, 0])))).toThrow(/Huffman table/);
  });

  it("are refused when they are too large, or their data is too little for the pixels that they claim", () => {
    const claim = (width: number, height: number) =>
      withHeader((header) => {
        header.writeUInt16BE(height, 5);
        header.writeUInt16BE(width, 7);
      });
    expect(() => inspected(claim(8000, 8000))).toThrow(/64 megapixels/);
    expect(() => inspected(claim(6000, 6000))).toThrow(/6000 × 6000 pixels large, but a scan has \d+ bytes/);
  });

  it.each([false, true])("are accepted with little data when that is enough (progressive: %s)", async (progressive) => {
    const plain = await picture(1500, 1000).jpeg({ progressive, quality: 1 }).toBuffer();
    expect(inspected(plain)).toMatchObject({ width: 1500, height: 1000 });
  });

  it("may have only so many scans, which keep a decoder busy", async () => {
    const progressive = await picture().jpeg({ progressive: true }).toBuffer();
    const last = progressive.lastIndexOf(Buffer.from([0xff, 0xda]));
    const scans = Array<Buffer>(100).fill(progressive.subarray(last, -2));
    expect(() => inspected(Buffer.concat([progressive.subarray(0, -2), ...scans, progressive.subarray(-2)]))).toThrow(
      /in more than 64 parts/,
    );
  });

  it("with noise for data have right headers, so that only a decoder can tell", () => {
    expect(inspected(jpgOfNoise(jpg))).toEqual(inspected(jpg));
  });
});

describe("after a JPG", () => {
  it.each([
    ["line ends", () => Buffer.from("\r\n")],
    ["zeros", () => Buffer.alloc(300)],
    ["further pictures, the last cut off", () => Buffer.concat([Buffer.alloc(30), jpg, jpg, jpg.subarray(0, -5)])],
    ["a film", () => Buffer.concat([mp4Box("ftyp", Buffer.from("isom")), mp4Box("mdat", Buffer.alloc(20))])],
    ["the trailer of a camera", () => Buffer.from("\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1693526400000SEFH", "latin1")],
    ["an archive", () => Buffer.from("PK\x03\x04 a whole archive", "latin1")],
    ["a script", () => Buffer.from("<script>alert(1)</script>")],
  ])("may be %s", (_what, make) => {
    const file = Buffer.concat([jpg, make()]);
    expect(inspected(file)).toEqual({ ...inspected(jpg), sizeBytes: file.length });
  });
});
