import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMediaFolder, type MediaFolder } from "../testing/make-media.js";
import type { MediaFacts } from "./facts.js";
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
function changed(type: string, at: number, value: number, source = film): Promise<MediaFacts> {
  const bytes = Buffer.from(source);
  bytes.writeUInt32BE(value, findMp4Box(bytes, type) + at);
  return inspected(bytes);
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

describe("MP4 files", () => {
  it("are read with their size, duration and what they have", async () => {
    const facts = await inspected(film);
    expect(facts).toMatchObject({ format: "mp4", width: 64, height: 48, hasSound: true, hasPictures: true });
    expect(Math.abs(facts.durationMs! - 1000)).toBeLessThan(60);
    expect(facts.sizeBytes).toBe(film.length);
  });

  it("may have their table of contents in front", async () => {
    const { sizeBytes: _size, ...facts } = await inspected(fast);
    expect(await inspected(film)).toMatchObject(facts);
  });

  it.each([
    "frag_keyframe+empty_moov",
    "frag_keyframe+empty_moov+default_base_moof",
    "frag_keyframe+dash",
    "empty_moov+frag_keyframe+separate_moof",
  ])("may be in fragments (%s)", async (flags) => {
    const facts = await inspected(await make(`${BOTH} -g 5 -movflags ${flags}`, "fragments.mp4"));
    expect(facts).toMatchObject({ width: 64, height: 48, hasSound: true, hasPictures: true });
    expect(Math.abs(facts.durationMs! - 1000)).toBeLessThan(300);
  });

  it("may have only pictures, or only sound", async () => {
    expect(await inspected(await make(PICTURES, "silent.mp4"))).toMatchObject({
      hasSound: false,
      hasPictures: true,
      durationMs: 1000,
    });
    const sound = await inspected(await make(TONE, "sound.m4a"));
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
  ] as const)("are as wide and high as they are shown, %s", async (_what, changes, [width, height]) => {
    expect(await inspected(withShape(changes))).toMatchObject({ width, height });
  });

  it("have pixels of the shape that their description declares", async () => {
    const wide = await make(`-f lavfi -i testsrc=s=72x57:d=1:r=10,setsar=64/45 -pix_fmt yuv444p`, "wide.mp4");
    expect(wide.includes("pasp")).toBe(true);
    expect(await inspected(wide)).toMatchObject({ width: 102, height: 57 });
    const high = Buffer.from(wide);
    high.writeUInt32BE(45, wide.indexOf("pasp") + 4);
    high.writeUInt32BE(64, wide.indexOf("pasp") + 8);
    expect(await inspected(high)).toMatchObject({ width: 72, height: 81 });
    high.writeUInt32BE(0, wide.indexOf("pasp") + 8);
    expect((await inspected(high)).width).toBe(102);
  });

  it("may have boxes of 64 bits, and a last one without a length", async () => {
    const mdat = findMp4Box(film, "mdat");
    const end = mdat + film.readUInt32BE(mdat);
    const long = Buffer.alloc(16);
    long.writeUInt32BE(1, 0);
    long.write("mdat", 4);
    long.writeBigUInt64BE(BigInt(end - mdat + 8), 8);
    const longer = Buffer.concat([film.subarray(0, mdat), long, film.subarray(mdat + 8)]);
    expect(await inspected(longer)).toMatchObject({ width: 64 });
    for (const type of ["mdat", "moov"]) {
      const endless = Buffer.from(type === "moov" ? film : fast);
      endless.writeUInt32BE(0, findMp4Box(endless, type));
      expect(await inspected(endless)).toMatchObject({ width: 64 });
    }
  });

  it("are MP4, and not QuickTime, by their brand", async () => {
    const brands = (...names: string[]) => mp4Box("ftyp", Buffer.from(names.join("")));
    const rest = film.subarray(film.readUInt32BE(0));
    expect(await inspected(Buffer.concat([brands("abcd", "\0\0\0\0", "efgh"), rest]))).toMatchObject({ width: 64 });
    for (const front of [brands("qt  ", "\0\0\0\0"), mp4Box("wide")]) {
      await expect(inspected(Buffer.concat([front, rest]))).rejects.toThrow(
        "The file is of the kind MOV; accepted are",
      );
    }
    const late = Buffer.concat([mp4Box("wide"), brands("qt  ", "\0\0\0\0", "mp42"), rest]);
    await expect(inspected(late)).rejects.toThrow(/of the kind MOV/);
    const text = Buffer.from("The free world, and all the others");
    await expect(inspected(text)).rejects.toThrow(/not one of the accepted kinds/);
  });

  it("must have a video or a sound track, with samples", async () => {
    const bytes = Buffer.from(film);
    for (const handler of ["vide", "soun"])
      bytes.write("text", bytes.indexOf(`\0\0\0\0${handler}`, 0, "latin1") + 4, "latin1");
    await expect(inspected(bytes)).rejects.toThrow("The MP4 file has neither a video nor a sound track.");
    const moov = findMp4Box(film, "moov");
    await expect(inspected(film.subarray(0, moov))).rejects.toThrow(/table of contents \(moov\) is missing/);
    await expect(inspected(film.subarray(0, moov + 300))).rejects.toThrow(/table of contents \(moov\) is cut off/);
    const start = fragments.subarray(0, findMp4Box(fragments, "moof"));
    await expect(inspected(start)).rejects.toThrow(/its tracks are empty/);
  });

  it("must not be protected", async () => {
    const bytes = Buffer.from(film);
    bytes.write("encv", bytes.indexOf("avc1", bytes.indexOf("stsd")), "latin1");
    await expect(inspected(bytes)).rejects.toThrow(/is protected by a key/);
  });

  it("must not refer to other files", async () => {
    await expect(changed("url ", 8, 0)).rejects.toThrow(/refers to data in other files/);
  });

  it("may last, and be as large, as is allowed", async () => {
    await expect(inspected(film, { durationMsMax: 500 })).rejects.toThrow(
      "The video lasts longer than 0.5 seconds, which is the most allowed.",
    );
    await expect(inspected(fragments, { durationMsMax: 500 })).rejects.toThrow(/lasts longer/);
    await expect(inspected(film, { imagePixelsMax: 3000 })).rejects.toThrow(
      "The video has 3072 pixels (64 × 48); at most 3000 pixels are allowed.",
    );
    await expect(changed("mvhd", 24, 0x7fffffff)).rejects.toThrow("The video lasts longer than 15 minutes");
    await expect(changed("mdhd", 24, 0x7fffffff)).rejects.toThrow(/lasts longer/);
    await expect(changed("trun", 12, 0xffffffff, fragments)).rejects.toThrow(/lasts longer/);
  });

  it("may be a part of a broadcast, which does not begin at zero", async () => {
    const later = Buffer.from(fragments);
    for (let at = later.indexOf("tfdt"); at !== -1; at = later.indexOf("tfdt", at + 4)) {
      later.writeUInt32BE(later.readUInt32BE(at + 12) + 0x70000000, at + 12);
    }
    expect(await inspected(later)).toEqual(await inspected(fragments));
  });

  it("may claim more than they have, which players pass over", async () => {
    expect(await changed("trak", 0, 0x7fffffff)).toMatchObject({ width: 64 });
    expect(await changed("stsz", 0, 0x7fffffff)).toMatchObject({ width: 64 });
    expect(await changed("tfhd", 12, 99, fragments)).toMatchObject({ format: "mp4" });
    await expect(changed("moov", 0, 0x7fffffff)).rejects.toThrow(/is cut off/);
  });

  it("may have only so many boxes, which keep a parser busy", async () => {
    const many = Buffer.concat([film, ...Array<Buffer>(400_001).fill(mp4Box("free"))]);
    await expect(inspected(many)).rejects.toThrow("The MP4 file is damaged: it has more than 400000 parts.");
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

  it.each(behind)("may have %s after them", async (_what, make) => {
    for (const whole of [film, fast, fragments]) {
      const file = Buffer.concat([whole, make()]);
      expect(await inspected(file)).toEqual({ ...(await inspected(whole)), sizeBytes: file.length });
    }
  });

  it("may repeat their beginning among fragments", async () => {
    const start = fragments.subarray(0, findMp4Box(fragments, "moof"));
    const moof = findMp4Box(fragments, "moof");
    const second = fragments.indexOf("moof", moof + 8) - 4;
    const { sizeBytes: _size, ...facts } = await inspected(fragments);
    const repeated = Buffer.concat([fragments.subarray(0, second), start, fragments.subarray(second)]);
    expect(await inspected(repeated)).toMatchObject(facts);
  });

  it("may have boxes of no account before, between and in their parts", async () => {
    const nothing = [
      mp4Box("free", Buffer.alloc(9)),
      mp4Box("wide"),
      mp4Box("uuid", Buffer.alloc(20, 3)),
      mp4Box("abcd"),
    ];
    const front = Buffer.concat(nothing.slice(0, 3));
    expect(await inspected(Buffer.concat([front, film]))).toMatchObject({ width: 64 });
    const moov = findMp4Box(film, "moov");
    const between = Buffer.concat([film.subarray(0, moov), ...nothing, film.subarray(moov)]);
    expect(await inspected(between)).toMatchObject({ width: 64, hasSound: true });
    const padded = Buffer.concat([film, Buffer.alloc(16)]);
    padded.writeUInt32BE(film.length - moov + 16, moov);
    expect(await inspected(padded)).toMatchObject({ width: 64, hasSound: true });
  });

  it("may have lost their end, when what is left can be played", async () => {
    const { sizeBytes: _size, ...facts } = await inspected(fast);
    expect(await inspected(fast.subarray(0, fast.length >> 1))).toMatchObject(facts);
    const second = fragments.indexOf("moof", fragments.indexOf("moof") + 4);
    const half = await inspected(fragments.subarray(0, second));
    expect(half).toMatchObject({ width: 64 });
    expect(half.durationMs).toBeLessThan(facts.durationMs!);
  });

  it("with noise for samples have right headers, so that only a decoder can tell", async () => {
    expect(await inspected(mp4OfNoise(film))).toEqual(await inspected(film));
  });
});
