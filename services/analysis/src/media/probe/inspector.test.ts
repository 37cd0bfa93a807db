import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMediaFolder, type MediaFolder } from "../testing/make-media.js";
import { type InspectionLimits, type MediaFacts, UnacceptableFileError, URL_FORMATS } from "./facts.js";
import { createInspector, inspect, inspectFile, inspecting } from "./inspector.js";

const LIMITS: InspectionLimits = {
  imagePixelsMax: 4e7,
  durationMsMax: 9e5,
  sizeBytesMax: 2 ** 20,
  formats: URL_FORMATS,
};
const TONE = "-f lavfi -i sine=440:d=0.3";
const PICTURES = "-f lavfi -i testsrc=s=64x48:d=0.4:r=10";
const files = new Map<string, Buffer>();
let folder: MediaFolder;

beforeAll(async () => {
  folder = await createMediaFolder();
  const picture = sharp({ create: { width: 24, height: 16, channels: 3, background: "teal" } });
  files.set("png", await picture.clone().png().toBuffer());
  files.set("jpg", await picture.clone().jpeg().toBuffer());
  files.set("progressive jpg", await picture.clone().jpeg({ progressive: true }).toBuffer());
  const make = async (name: string, args: string) => {
    const file = await folder.make(name, args);
    files.set(name, await readFile(file));
  };
  await Promise.all([
    make("animation.gif", `${PICTURES} -vf scale=32:24`),
    make("tone.mp3", `${TONE} -b:a 32k`),
    make("film.mp4", `${PICTURES} ${TONE} -pix_fmt yuv420p -b:a 32k`),
    make("fast.mp4", `${PICTURES} -pix_fmt yuv420p -movflags +faststart`),
    make("fragments.mp4", `${PICTURES} -pix_fmt yuv420p -g 2 -movflags frag_keyframe+empty_moov`),
  ]);
});

afterAll(() => folder.remove());

function factsOf(bytes: Uint8Array, limits = LIMITS): MediaFacts {
  const inspector = createInspector(limits);
  inspector.write(bytes);
  return inspector.end();
}

/** The bytes in pieces of these lengths, which are repeated cyclically. */
function* pieces(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length]!;
    // A copy that is overwritten afterwards, like a socket's buffer: the inspector must not retain it.
    const piece = Uint8Array.from(bytes.subarray(at, at + length));
    yield piece;
    piece.fill(0xee);
    at += length;
  }
}

/** Whether the file is refused with the right error; any other error is a bug and rethrown. */
function refused(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (error instanceof UnacceptableFileError) return true;
    throw error;
  }
}

describe("reading in pieces", () => {
  it("finds the same however the bytes are cut", () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4000 })), {
      minLength: 1,
      maxLength: 12,
    });
    const property = fc.property(fc.constantFrom(...files.values()), lengths, (bytes, cuts) => {
      const inspector = createInspector(LIMITS);
      for (const piece of pieces(bytes, cuts)) inspector.write(piece);
      expect(inspector.end()).toEqual(factsOf(bytes));
    });
    fc.assert(property, { numRuns: repeats(150) });
  });

  it.each([1, 2, 3])("finds the same in pieces of %i", (length) => {
    for (const bytes of files.values()) {
      const inspector = createInspector(LIMITS);
      for (const piece of pieces(bytes, [length])) inspector.write(piece);
      expect(inspector.end()).toEqual(factsOf(bytes));
    }
  });

  it("hands the stream on unchanged", async () => {
    const bytes = files.get("film.mp4")!;
    const inspector = createInspector(LIMITS);
    const passed: Uint8Array[] = [];
    async function* stream(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < bytes.length; at += 1000) yield bytes.subarray(at, at + 1000);
    }
    for await (const piece of inspecting(stream(), inspector)) passed.push(piece);
    expect(Buffer.concat(passed).equals(bytes)).toBe(true);
    expect(inspector.end()).toEqual(factsOf(bytes));
  });

  it("fails the stream at its end when something is missing", async () => {
    const bytes = files.get("png")!;
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, -4);
    }
    const reading = async () => {
      for await (const piece of inspecting(stream(), createInspector(LIMITS))) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(reading()).rejects.toThrow(/ends too early/);
  });

  it("reads files on the disk", async () => {
    const scratch = await mkdtemp(path.join(tmpdir(), "formats-"));
    const file = path.join(scratch, "picture");
    await sharp({ create: { width: 7, height: 5, channels: 3, background: "red" } })
      .png()
      .toFile(file);
    await expect(inspectFile(file, LIMITS)).resolves.toMatchObject({ format: "png", width: 7, height: 5 });
    await rm(scratch, { recursive: true });
  });
});

describe("what is no such file", () => {
  const refusal = (bytes: Uint8Array | string, limits = LIMITS) => {
    const inspector = createInspector(limits);
    return () => inspector.write(Buffer.from(bytes as string, "latin1"));
  };

  it("refuses a text on its first bytes", () => {
    expect(refusal("Dear Sir or Madam")).toThrow(
      "The file is not one of the accepted kinds: PNG, JPG, GIF, MP3 and MP4.",
    );
  });

  it("names what the file is when it is known", () => {
    expect(refusal("%PDF-1.7 and so on")).toThrow(
      "The file is a PDF document; accepted are PNG, JPG, GIF, MP3 and MP4.",
    );
    expect(refusal("\0\0\0\x14ftypqt  \0\0\0\0")).toThrow(/a QuickTime film \(MOV\)/);
    expect(refusal("\0\0\0\x18ftypheic\0\0\0\0")).toThrow(/an HEIC picture/);
    expect(refusal("RIFF....WEBPVP8 ")).toThrow(/a WebP picture/);
    expect(refusal("\xff\xfd\x90\x00............")).toThrow(/MPEG sound of layer II/);
  });

  it("accepts a GIF only where it is allowed", () => {
    const uploads = { imagePixelsMax: 4e7, durationMsMax: 9e5 };
    expect(refusal(files.get("animation.gif")!, uploads)).toThrow(
      "The file is a GIF file; accepted are PNG, JPG, MP3 and MP4.",
    );
  });

  it("refuses an empty file", async () => {
    async function* nothing(): AsyncGenerator<Uint8Array> {
      yield* [];
    }
    await expect(inspect(nothing(), LIMITS)).rejects.toThrow("The file is empty.");
  });

  it("refuses what is too large as soon as that is clear", () => {
    const bytes = files.get("jpg")!;
    expect(refusal(bytes, { ...LIMITS, sizeBytesMax: bytes.length - 1 })).toThrow(/larger than \d+ bytes/);
    const claim = Buffer.from(files.get("fast.mp4")!);
    claim.writeUInt32BE(2 ** 31, claim.indexOf("mdat") - 4);
    expect(refusal(claim)).toThrow(/at most 1 MiB/);
  });

  it("stays refused", () => {
    const inspector = createInspector(LIMITS);
    expect(() => inspector.write(Buffer.from("not a picture, not at all"))).toThrow(UnacceptableFileError);
    expect(() => inspector.write(files.get("png")!)).toThrow(UnacceptableFileError);
    expect(() => inspector.end()).toThrow(UnacceptableFileError);
  });
});

describe("damage", () => {
  it("refuses every file that is cut off; sound between frames, and film between fragments, are only shorter", () => {
    for (const [name, bytes] of files) {
      const whole = factsOf(bytes);
      for (let length = 0; length < bytes.length; length++) {
        let facts: MediaFacts | undefined;
        const cut = refused(() => (facts = factsOf(bytes.subarray(0, length))));
        if (cut) continue;
        // Less than a box's head is no box; nor can a fragment be missed that does not begin.
        const fragment =
          name === "fragments.mp4" && /^.{4,11}(?:moof|mfra)/s.test(bytes.toString("latin1", length - 7, length + 8));
        const trimmed = name === "tone.mp3" && bytes.readUInt16BE(Math.min(length, bytes.length - 2)) === 0xfffb;
        if (!fragment) expect(`${name} cut to ${length} of ${bytes.length}`).toMatch(/mp3/);
        // Up to two frames, because encoders may or may not count their own frame, and the last may be cut off.
        const lost = whole.durationMs! - facts!.durationMs!;
        expect(lost).toBeLessThan(fragment || trimmed ? whole.durationMs! : 60);
      }
    }
  });

  it("never fails in another way, whatever bytes are wrong", () => {
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      head: fc.boolean(),
      bytes: fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 4 }),
        fc.constantFrom(
          ...[[0], [255], [0, 0, 0, 0], [255, 255, 255, 255], [0, 0, 0, 1], [128, 0, 0, 0]].map((list) =>
            Uint8Array.from(list),
          ),
        ),
      ),
    });
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    const property = fc.property(fc.constantFrom(...files.values()), changes, (bytes, list) => {
      const wrong = Buffer.from(bytes);
      for (const { at, head, bytes: other } of list) {
        wrong.set(
          other,
          Math.max(0, Math.floor(at * (head ? Math.min(200, wrong.length) : wrong.length)) - other.length),
        );
      }
      refused(() => factsOf(wrong));
    });
    fc.assert(property, { numRuns: repeats(6000) });
  });

  it("never fails in another way on pieces of files put together", () => {
    const piece = fc.tuple(fc.constantFrom(...files.values()), fc.nat(3000), fc.nat(3000));
    const property = fc.property(
      fc.constantFrom(...files.values()),
      fc.array(piece, { maxLength: 3 }),
      (first, rest) => {
        const joined = [
          first.subarray(0, 600),
          ...rest.map(([bytes, from, length]) => bytes.subarray(from, from + length)),
        ];
        refused(() => factsOf(Buffer.concat(joined)));
      },
    );
    fc.assert(property, { numRuns: repeats(1000) });
  });
});
