import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMediaFolder, type MediaFolder } from "../testing/make-media.js";
import { findMp4Box, inspected, mp4Box, mp4OfNoise } from "../testing/odd-files.js";

const PICTURES = "-f lavfi -i testsrc=s=64x48:d=1:r=10 -pix_fmt yuv420p";
const TONE = "-f lavfi -i sine=440:d=1";
const BOTH = `-f lavfi -i testsrc=s=64x48:d=1:r=10 ${TONE} -pix_fmt yuv420p`;
let folder: MediaFolder;
let film: Buffer;
let fast: Buffer;
let fragments: Buffer;

async function make(args: string, name = "film.mp4"): Promise<Buffer> {
  return readFile(await folder.make(name, args));
}

beforeAll(async () => {
  folder = await createMediaFolder();
  film = await make(BOTH);
  fast = await make(`${BOTH} -movflags +faststart`, "fast.mp4");
  fragments = await make(`${BOTH} -g 5 -movflags frag_keyframe+empty_moov`);
});
afterAll(() => folder.remove());

/** The film with a changed 32-bit number in a box; `at` is the offset from the beginning of the box. */
function changed(type: string, at: number, value: number, source = film): () => unknown {
  const bytes = Buffer.from(source);
  bytes.writeUInt32BE(value, findMp4Box(bytes, type) + at);
  return () => inspected(bytes);
}

/** What players read about the shape of the first track: width and height, and axes with a right and a down each. */
interface Shape {
  size?: readonly [number, number];
  matrix?: readonly number[];
  movieMatrix?: readonly number[];
}

function withShape({ size, matrix, movieMatrix }: Shape): Buffer {
  const bytes = Buffer.from(film);
  const [mvhd, tkhd] = [findMp4Box(film, "mvhd") + 44, findMp4Box(film, "tkhd") + 48];
  const setMatrix = (at: number, [a, b, c, d]: readonly number[]) => {
    for (const [index, value] of [a, b, 0, c, d].entries()) bytes.writeInt32BE(value! * 0x10000, at + 4 * index);
  };
  if (matrix !== undefined) setMatrix(tkhd, matrix);
  if (movieMatrix !== undefined) setMatrix(mvhd, movieMatrix);
  for (const [index, value] of (size ?? []).entries()) bytes.writeUInt32BE(value * 0x10000, tkhd + 36 + 4 * index);
  if (size !== undefined && bytes.includes("pasp")) bytes.write("skip", bytes.indexOf("pasp"), "latin1");
  return bytes;
}

/** The film for a place that begins after so many bytes. */
function shifted(source: Buffer, by: number): Buffer {
  const bytes = Buffer.from(source);
  for (let at = bytes.indexOf("stco"); at !== -1; at = bytes.indexOf("stco", at + 4)) {
    const entries = bytes.readUInt32BE(at + 8);
    for (let entry = 0; entry < entries; entry++) {
      const offset = at + 12 + 4 * entry;
      bytes.writeUInt32BE(bytes.readUInt32BE(offset) + by, offset);
    }
  }
  return bytes;
}

/** Offset of the first box of a type from the first box of another. */
const within = (outer: string, inner: string) => findMp4Box(film, inner) - findMp4Box(film, outer);

describe("MP4 files", () => {
  it("are read with their size, duration and what they have", () => {
    const facts = inspected(film);
    expect(facts).toMatchObject({ format: "mp4", width: 64, height: 48, hasSound: true, hasPictures: true });
    expect(Math.abs(facts.durationMs! - 1000)).toBeLessThan(60);
    expect(facts.sizeBytes).toBe(film.length);
  });

  it("may have their table of contents in front", () => {
    const { sizeBytes: _size, ...facts } = inspected(fast);
    expect(inspected(film)).toMatchObject(facts);
  });

  it.each([
    "frag_keyframe+empty_moov",
    "frag_keyframe+empty_moov+default_base_moof",
    "frag_keyframe+dash",
    "empty_moov+frag_keyframe+separate_moof",
  ])("may be in fragments (%s)", async (flags) => {
    const facts = inspected(await make(`${BOTH} -g 5 -movflags ${flags}`, "fragments.mp4"));
    expect(facts).toMatchObject({ width: 64, height: 48, hasSound: true, hasPictures: true });
    expect(Math.abs(facts.durationMs! - 1000)).toBeLessThan(300);
  });

  it("may have only pictures, or only sound", async () => {
    expect(inspected(await make(PICTURES, "silent.mp4"))).toMatchObject({
      hasSound: false,
      hasPictures: true,
      durationMs: 1000,
    });
    const sound = inspected(await make(TONE, "sound.m4a"));
    expect(sound).toMatchObject({ format: "mp4", hasSound: true, hasPictures: false });
    expect(sound).not.toHaveProperty("width");
  });

  it.each([
    ["turned by its track", { matrix: [0, 1, -1, 0] }, [48, 64]],
    ["turned back", { matrix: [0, -1, 1, 0] }, [48, 64]],
    ["upside down", { matrix: [-1, 0, 0, -1] }, [64, 48]],
    ["mirrored", { matrix: [-1, 0, 0, 1] }, [64, 48]],
    ["turned by its movie", { movieMatrix: [0, 1, -1, 0] }, [48, 64]],
    ["turned by both", { matrix: [0, 1, -1, 0], movieMatrix: [0, 1, -1, 0] }, [64, 48]],
    ["of wide pixels", { size: [80, 48] }, [80, 48]],
    ["of high pixels", { size: [48, 48] }, [64, 64]],
    ["of wide pixels and turned", { size: [80, 48], matrix: [0, 1, -1, 0] }, [48, 80]],
    ["as large as its header says", { size: [128, 96] }, [64, 48]],
    ["of pixels of no possible shape", { size: [60_000, 1] }, [64, 48]],
  ] as const)("are as wide and high as they are shown, %s", (_what, changes, [width, height]) => {
    expect(inspected(withShape(changes))).toMatchObject({ width, height });
  });

  it("have pixels of the shape that their description declares", async () => {
    const wide = await make(`-f lavfi -i testsrc=s=72x57:d=1:r=10,setsar=64/45 -pix_fmt yuv444p`, "wide.mp4");
    expect(wide.includes("pasp")).toBe(true);
    expect(inspected(wide)).toMatchObject({ width: 102, height: 57 });
    const high = Buffer.from(wide);
    high.writeUInt32BE(45, wide.indexOf("pasp") + 4);
    high.writeUInt32BE(64, wide.indexOf("pasp") + 8);
    expect(inspected(high)).toMatchObject({ width: 72, height: 81 });
    high.writeUInt32BE(0, wide.indexOf("pasp") + 8);
    expect(inspected(high).width).toBe(102);
  });

  it("may have boxes of 64 bits, and a last one without a length", () => {
    const mdat = findMp4Box(film, "mdat");
    const end = mdat + film.readUInt32BE(mdat);
    const long = Buffer.alloc(16);
    long.writeUInt32BE(1, 0);
    long.write("mdat", 4);
    long.writeBigUInt64BE(BigInt(end - mdat + 8), 8);
    expect(inspected(Buffer.concat([film.subarray(0, mdat), long, film.subarray(mdat + 8)]))).toMatchObject({
      width: 64,
    });
    const endless = Buffer.concat([film.subarray(0, mdat), film.subarray(end), film.subarray(mdat, end)]);
    endless.writeUInt32BE(0, mdat + film.length - end);
    expect(inspected(endless)).toMatchObject({ width: 64 });
    expect(changed("moov", 0, 0)).toThrow(/does not say where it ends/);
  });

  it("must be of the MP4 family", () => {
    const brands = (...names: string[]) => mp4Box("ftyp", Buffer.from(names.join("")));
    const rest = film.subarray(film.readUInt32BE(0));
    expect(() => inspected(Buffer.concat([brands("abcd", "\0\0\0\0", "efgh"), rest]))).toThrow(/of the kind "abcd"/);
    expect(() => inspected(Buffer.concat([brands("qt  ", "\0\0\0\0"), rest]))).toThrow(
      /a QuickTime film \(MOV\); accepted are/,
    );
  });

  it("must have a video or a sound track", () => {
    const bytes = Buffer.from(film);
    for (const handler of ["vide", "soun"])
      bytes.write("text", bytes.indexOf(`\0\0\0\0${handler}`, 0, "latin1") + 4, "latin1");
    expect(() => inspected(bytes)).toThrow("The MP4 file has neither a video nor a sound track.");
    const moov = findMp4Box(film, "moov");
    expect(() => inspected(film.subarray(0, moov))).toThrow(/table of contents \(moov\) is missing/);
  });

  it("must not be protected", () => {
    const bytes = Buffer.from(film);
    bytes.write("encv", bytes.indexOf("avc1", bytes.indexOf("stsd")), "latin1");
    expect(() => inspected(bytes)).toThrow(/is protected by a key/);
  });

  it("must not refer to other files", () => {
    expect(changed("url ", 8, 0)).toThrow(/refers to data in other files/);
  });

  it("may last, and be as large, as is allowed", () => {
    expect(() => inspected(film, { durationMsMax: 500 })).toThrow(
      "The video lasts longer than 0.5 seconds, which is the most allowed.",
    );
    expect(() => inspected(fragments, { durationMsMax: 500 })).toThrow(/lasts longer/);
    expect(() => inspected(film, { imagePixelsMax: 3000 })).toThrow(
      "The video has 3072 pixels (64 × 48); at most 3000 pixels are allowed.",
    );
    expect(changed("mvhd", 24, 0x7fffffff)).toThrow("The video lasts longer than 15 minutes");
    expect(changed("mdhd", 24, 0x7fffffff)).toThrow(/lasts longer/);
    expect(changed("stts", 20, 0x7fffffff)).toThrow(/lasts longer/);
    expect(changed("elst", 16, 0x7fffffff)).toThrow(/lasts longer/);
    expect(changed("tfdt", 16, 0x7fffffff, fragments)).toThrow(/lasts longer/);
  });

  it("must not claim more than they have", () => {
    expect(changed("stsz", 20, 0x7fffffff)).toThrow(/its tables describe \d+ bytes|its tables point/);
    expect(changed("stsz", 16, 0x7fffffff)).toThrow(/stsz says that it has 2147483647 entries/);
    expect(changed("stco", 16, film.length)).toThrow(/point to samples after the end/);
    expect(changed("stco", 12, 0xffffffff)).toThrow(/stco says that it has 4294967295 entries/);
    expect(changed("trun", 12, 0xffffffff, fragments)).toThrow(/trun says that it has 4294967295 entries/);
    expect(changed("trun", 16, 0x7fff0000, fragments)).toThrow(/point to samples after the end/);
    expect(changed("tfhd", 12, 99, fragments)).toThrow(/belongs to the track 99, which does not exist/);
  });

  it("must have boxes that lie within their parents and end in the file", () => {
    expect(changed("trak", 0, film.readUInt32BE(findMp4Box(film, "moov")))).toThrow(
      /trak says that it has \d+ bytes, which is more than there is room for/,
    );
    expect(changed("moov", within("moov", "trak"), 0)).toThrow(/its part trak says that it has 0 bytes/);
    expect(changed("stbl", 0, 4)).toThrow(/its part stbl says that it has 4 bytes/);
    expect(changed("moov", 0, 90 * 2 ** 20)).toThrow(/table of contents is larger than 64 MiB/);
  });

  const behind: [string, () => Buffer][] = [
    ["zeros", () => Buffer.alloc(200)],
    ["line ends", () => Buffer.from("\r\n")],
    ["an archive", () => Buffer.from("PK\x03\x04 an archive of something", "latin1")],
    ["a script", () => Buffer.from("<html>\n<script>alert(1)</script>")],
    ["what cameras know", () => mp4Box("inst", Buffer.alloc(300, 7))],
    ["a box that is cut off", () => mp4Box("Xtra", Buffer.alloc(300)).subarray(0, 90)],
    ["a second table of contents", () => film.subarray(findMp4Box(film, "moov"))],
    ["another film, or a part of it", () => film.subarray(0, film.length - 50)],
  ];

  it.each(behind)("may have %s after them", (_what, make) => {
    for (const whole of [film, fast]) {
      const file = Buffer.concat([whole, make()]);
      expect(inspected(file)).toEqual({ ...inspected(whole), sizeBytes: file.length });
    }
  });

  it.each(behind.slice(0, 7))("may have %s after their fragments", (_what, make) => {
    const file = Buffer.concat([fragments, make()]);
    expect(inspected(file)).toEqual({ ...inspected(fragments), sizeBytes: file.length });
  });

  it("may repeat their beginning among fragments", () => {
    const start = fragments.subarray(0, findMp4Box(fragments, "moof"));
    const moof = findMp4Box(fragments, "moof");
    const second = fragments.indexOf("moof", moof + 8) - 4;
    const { sizeBytes: _size, ...facts } = inspected(fragments);
    const repeated = Buffer.concat([fragments.subarray(0, second), start, fragments.subarray(second)]);
    // Offsets of samples are relative to their fragments, but for those after the end.
    expect(inspected(repeated)).toMatchObject(facts);
  });

  it("may have boxes of no account before, between and in their parts", () => {
    const nothing = [
      mp4Box("free", Buffer.alloc(9)),
      mp4Box("wide"),
      mp4Box("uuid", Buffer.alloc(20, 3)),
      mp4Box("abcd"),
    ];
    const front = Buffer.concat(nothing.slice(0, 3));
    expect(inspected(Buffer.concat([front, shifted(film, front.length)]))).toMatchObject({ width: 64 });
    const moov = findMp4Box(film, "moov");
    const between = Buffer.concat([film.subarray(0, moov), ...nothing, film.subarray(moov)]);
    expect(inspected(between)).toMatchObject({ width: 64, hasSound: true });
    const padded = Buffer.concat([film, Buffer.alloc(16)]);
    padded.writeUInt32BE(film.length - moov + 16, moov);
    expect(inspected(padded)).toMatchObject({ width: 64, hasSound: true });
  });

  it("must say that they are MP4, after such boxes, too", () => {
    const front = mp4Box("wide");
    expect(() => inspected(Buffer.concat([front, film.subarray(film.readUInt32BE(0))]))).toThrow(/a QuickTime film/);
    const brand = Buffer.concat([front, mp4Box("ftyp", Buffer.from("qt  \0\0\0\0mp42"))]);
    expect(() => inspected(brand)).toThrow(/a QuickTime film/);
    expect(() => inspected(Buffer.from("The free world, and all the others"))).toThrow(/not one of the accepted kinds/);
  });

  it("must have all of their samples", () => {
    const missing = fast.subarray(0, -1);
    expect(() => inspected(missing)).toThrow(/ends too early/);
    expect(() => inspected(fragments.subarray(0, findMp4Box(fragments, "mfra") - 1))).toThrow(/ends too early/);
  });

  it("with noise for samples have right headers, so that only a decoder can tell", () => {
    expect(inspected(mp4OfNoise(film))).toEqual(inspected(film));
  });
});
