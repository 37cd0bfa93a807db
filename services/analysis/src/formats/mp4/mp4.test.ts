import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inspected } from "../../testing/inspected.js";
import { findMp4Box, mp4Box, mp4OfNoise } from "../../testing/odd-sounds-and-films.js";
import { createMediaFolder, type MediaFolder } from "../../decode/video/testing/make-media.js";

const PICTURES = "-f lavfi -i testsrc=s=64x48:d=1:r=10 -pix_fmt yuv420p";
const TONE = "-f lavfi -i sine=440:d=1";
const BOTH = `-f lavfi -i testsrc=s=64x48:d=1:r=10 ${TONE} -pix_fmt yuv420p`;
let folder: MediaFolder;
let film: Buffer;
let fragments: Buffer;

async function make(args: string, name = "film.mp4"): Promise<Buffer> {
  return readFile(await folder.make(name, args));
}

beforeAll(async () => {
  folder = await createMediaFolder();
  film = await make(BOTH);
  fragments = await make(`${BOTH} -g 5 -movflags frag_keyframe+empty_moov`);
});
afterAll(() => folder.remove());

/** The film with a changed 32-bit number in a box; `at` is the offset from the beginning of the box. */
function changed(type: string, at: number, value: number, source = film): () => unknown {
  const bytes = Buffer.from(source);
  bytes.writeUInt32BE(value, findMp4Box(bytes, type) + at);
  return () => inspected(bytes);
}

/** Offset of the first box of a type from the first box of another. */
const within = (outer: string, inner: string) => findMp4Box(film, inner) - findMp4Box(film, outer);

describe("MP4 files", () => {
  it("are read with their size, duration and what they have", () => {
    const facts = inspected(film);
    expect(facts).toMatchObject({ format: "mp4", width: 64, height: 48, hasSound: true, hasPictures: true });
    expect(Math.abs(facts.durationMs! - 1000)).toBeLessThan(60);
    expect(facts.sizeBytes).toBe(film.length);
    expect(facts).not.toHaveProperty("rotation");
  });

  it("may have their table of contents in front", async () => {
    const { sizeBytes: _size, ...facts } = inspected(await make(`${BOTH} -movflags +faststart`, "fast.mp4"));
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

  it("may be turned by players", async () => {
    const file = await folder.make("upright.mp4", PICTURES);
    const turned = await make(`-i ${file} -c copy -metadata:s:v rotate=90`, "turned.mp4");
    expect(inspected(turned)).toMatchObject({ width: 64, height: 48, rotation: expect.any(Number) });
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
    expect(() => inspected(Buffer.concat([film, film.subarray(moov)]))).toThrow(/two tables of contents/);
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
    expect(changed("stco", 16, film.length)).toThrow(/point to samples behind the end/);
    expect(changed("stco", 12, 0xffffffff)).toThrow(/stco says that it has 4294967295 entries/);
    expect(changed("trun", 12, 0xffffffff, fragments)).toThrow(/trun says that it has 4294967295 entries/);
    expect(changed("trun", 16, 0x7fff0000, fragments)).toThrow(/point to samples behind the end/);
    expect(changed("tfhd", 12, 99, fragments)).toThrow(/belongs to the track 99, which does not exist/);
  });

  it("must have boxes that lie within their parents and end in the file", () => {
    expect(changed("trak", 0, film.readUInt32BE(findMp4Box(film, "moov")))).toThrow(
      /trak says that it has \d+ bytes, which is more than there is room for/,
    );
    expect(changed("moov", within("moov", "trak"), 0)).toThrow(/its part trak says that it has 0 bytes/);
    expect(changed("stbl", 0, 4)).toThrow(/its part stbl says that it has 4 bytes/);
    expect(changed("moov", 0, 90 * 2 ** 20)).toThrow(/table of contents is larger than 64 MiB/);
    expect(() => inspected(Buffer.concat([film, Buffer.from("PK\x03\x04 an archive of something", "latin1")]))).toThrow(
      /at most 100 MiB/,
    );
    expect(() => inspected(Buffer.concat([film, Buffer.from("<html>\n<script>alert(1)</script>")]))).toThrow(
      /at most 100 MiB|no part of it begins/,
    );
  });

  it("with noise for samples have right headers, so that only a decoder can tell", () => {
    expect(inspected(mp4OfNoise(film))).toEqual(inspected(film));
  });
});
