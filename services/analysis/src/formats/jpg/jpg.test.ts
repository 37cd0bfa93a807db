import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { inspected } from "../../testing/inspected.js";
import { jpgOfNoise, motionPhotoMetadata, samsungTrailer } from "../../testing/odd-pictures.js";
import { mp4Box } from "../../testing/odd-sounds-and-films.js";

const picture = (width = 40, height = 24) => sharp({ create: { width, height, channels: 3, background: "#aa5522" } });
const EMPTY = Buffer.alloc(0);
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
      await picture().greyscale().jpeg().toBuffer(),
      await picture().jpeg({ chromaSubsampling: "4:4:4", optimiseCoding: true }).toBuffer(),
      await picture().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
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

  it("must have a header that decoders understand", () => {
    expect(() => inspected(withHeader((header) => (header[1] = 0xc9)))).toThrow(
      /rare way \(lossless, hierarchical or arithmetic\)/,
    );
    expect(() => inspected(withHeader((header) => (header[4] = 12)))).toThrow(
      /12 bits for each colour of a pixel; only 8/,
    );
    expect(() => inspected(withHeader((header) => (header[11] = 0x50)))).toThrow(/sampling/);
    expect(() => inspected(withHeader((header) => (header[13] = header[10]!)))).toThrow(
      /two of its colours are the same/,
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
    expect(() => inspected(withSegment(Buffer.from("\xff\xfe\0\x02junk", "latin1")))).toThrow(
      /does not begin where the one before ends/,
    );
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

describe("behind a JPG", () => {
  const behind =
    (...more: Uint8Array[]) =>
    () =>
      inspected(Buffer.concat([jpg, ...more]));
  const film = [
    mp4Box("ftyp", Buffer.from("isom")),
    mp4Box("mdat", Buffer.alloc(20)),
    mp4Box("moov", Buffer.alloc(20)),
  ];

  it("cameras may write zeros and further whole pictures", () => {
    expect(behind(Buffer.alloc(300))()).toMatchObject({ width: 40 });
    expect(behind(Buffer.alloc(30), jpg, jpg)()).toMatchObject({ width: 40, sizeBytes: 3 * jpg.length + 30 });
    expect(behind(jpg.subarray(0, -5))).toThrow(/ends too early/);
    expect(behind(...Array<Buffer>(17).fill(jpg))).toThrow(/more than 16 further pictures/);
  });

  it("nothing else may follow", () => {
    const other = /with something else; another file may hide there/;
    expect(behind(Buffer.from("PK\x03\x04 a whole archive", "latin1"))).toThrow(other);
    expect(behind(Buffer.from("<script>alert(1)</script>"))).toThrow(other);
    expect(behind(Buffer.alloc(4), Buffer.from("Rar!\x1a\x07", "latin1"))).toThrow(other);
    expect(behind(jpg, Buffer.from("%PDF-1.4"))).toThrow(other);
  });

  it("a film may follow that the picture announces", () => {
    const moving = withSegment(motionPhotoMetadata());
    expect(inspected(Buffer.concat([moving, ...film]))).toMatchObject({ format: "jpg", hasSound: false, width: 40 });
    expect(behind(...film)).toThrow(/another file may hide there/);
    expect(() => inspected(Buffer.concat([moving, ...film, Buffer.from("PK\x03\x04 more", "latin1")]))).toThrow(
      /damaged|100 MiB/,
    );
    expect(() => inspected(Buffer.concat([moving, film[0]!, film[1]!]))).toThrow(/film behind its picture is damaged/);
  });

  it("Samsung's trailer may follow, when its directory describes all of it", () => {
    const trailer = samsungTrailer({ Image_UTC_Data: Buffer.from("1693526400000"), MCC_Data: Buffer.from("262") });
    expect(behind(trailer)()).toMatchObject({ width: 40 });
    expect(behind(Buffer.alloc(7), trailer)()).toMatchObject({ width: 40 });
    const hiding = Buffer.concat([
      samsungTrailer({ Image_UTC_Data: EMPTY }).subarray(0, 22),
      Buffer.alloc(100, 65),
      trailer,
    ]);
    expect(behind(hiding)).toThrow(/the trailer behind its picture hides something/);
    expect(behind(trailer.subarray(0, -4), Buffer.from("ABCD"))).toThrow(/no trailer of a camera/);
    expect(behind(trailer, jpg)).toThrow(/no trailer of a camera/);
  });
});
