import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMediaFolder, type MediaFolder } from "../testing/make-media.js";
import { type InspectionLimits, type MediaFacts, UnacceptableFileError, URL_FORMATS } from "./facts.js";
import { createInspector, inspectFile, inspecting } from "./inspector.js";

const LIMITS: InspectionLimits = {
  imagePixelsMax: 4e7,
  durationMsMax: 9e5,
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

async function factsOf(bytes: Uint8Array, limits = LIMITS): Promise<MediaFacts> {
  const inspector = createInspector(limits);
  await inspector.write(bytes);
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
async function refused(inspection: Promise<unknown>): Promise<boolean> {
  try {
    await inspection;
    return false;
  } catch (error) {
    if (error instanceof UnacceptableFileError) return true;
    throw error;
  }
}

describe("reading in pieces", () => {
  it("finds the same however the bytes are cut", async () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4000 })), {
      minLength: 1,
      maxLength: 12,
    });
    const property = fc.asyncProperty(fc.constantFrom(...files.values()), lengths, async (bytes, cuts) => {
      const inspector = createInspector(LIMITS);
      for (const piece of pieces(bytes, cuts)) await inspector.write(piece);
      expect(await inspector.end()).toEqual(await factsOf(bytes));
    });
    await fc.assert(property, { numRuns: repeats(150) });
  });

  it.each([1, 2, 3])("finds the same in pieces of %i", async (length) => {
    for (const bytes of files.values()) {
      const inspector = createInspector(LIMITS);
      for (const piece of pieces(bytes, [length])) await inspector.write(piece);
      expect(await inspector.end()).toEqual(await factsOf(bytes));
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
    expect(await inspector.end()).toEqual(await factsOf(bytes));
  });

  it("fails the stream at its end when something is missing", async () => {
    const bytes = files.get("png")!;
    async function* stream(): AsyncGenerator<Uint8Array> {
      yield bytes.subarray(0, 40);
    }
    const reading = async () => {
      for await (const piece of inspecting(stream(), createInspector(LIMITS))) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(reading()).rejects.toThrow(/its header cannot be read/);
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
  const writing = (bytes: Uint8Array, limits = LIMITS) => createInspector(limits).write(bytes);
  const inspecting = (text: string) => factsOf(Buffer.from(text, "latin1"));

  it("is refused on its first bytes, and named when it is known", async () => {
    const document = Buffer.from("%PDF-1.7 and so on".padEnd(5000), "latin1");
    await expect(writing(document)).rejects.toThrow(
      "The file is of the kind PDF; accepted are PNG, JPG, GIF, MP3 and MP4.",
    );
    await expect(inspecting("\0\0\0\x14ftypqt  \0\0\0\0")).rejects.toThrow(/of the kind MOV/);
    await expect(inspecting("\0\0\0\x18ftypheic\0\0\0\0")).rejects.toThrow(/of the kind HEIC/);
    await expect(inspecting("RIFF....WEBPVP8 ")).rejects.toThrow(/of the kind WEBP/);
  });

  it("is refused when it is a text", async () => {
    await expect(inspecting("Dear Sir or Madam")).rejects.toThrow(
      "The file is not one of the accepted kinds: PNG, JPG, GIF, MP3 and MP4.",
    );
  });

  it("may be a GIF, which is accepted only where it is allowed", async () => {
    const uploads = { imagePixelsMax: 4e7, durationMsMax: 9e5 };
    await expect(factsOf(files.get("animation.gif")!, uploads)).rejects.toThrow(
      "The file is of the kind GIF; accepted are PNG, JPG, MP3 and MP4.",
    );
  });

  it("is refused when it is empty", async () => {
    await expect(createInspector(LIMITS).end()).rejects.toThrow("The file is empty.");
  });

  it("stays refused", async () => {
    const inspector = createInspector(LIMITS);
    await inspector.write(Buffer.from("not a picture, not at all"));
    await expect(inspector.end()).rejects.toThrow(UnacceptableFileError);
    await expect(inspector.write(files.get("png")!)).rejects.toThrow(UnacceptableFileError);
    await expect(inspector.end()).rejects.toThrow(UnacceptableFileError);
  });
});

describe("damage", () => {
  it("of a file that is cut off is refused, or leaves it shorter", async () => {
    for (const bytes of files.values()) {
      const whole = await factsOf(bytes);
      for (let length = 0; length < bytes.length; length += length < 1500 ? 1 : 37) {
        let facts: MediaFacts | undefined;
        if (await refused(factsOf(bytes.subarray(0, length)).then((found) => (facts = found)))) continue;
        expect(facts).toMatchObject({ format: whole.format, sizeBytes: length });
        expect(facts!.durationMs ?? 0).toBeLessThanOrEqual(whole.durationMs ?? 0);
      }
    }
  });

  it("never fails in another way, whatever bytes are wrong", async () => {
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
    const property = fc.asyncProperty(fc.constantFrom(...files.values()), changes, async (bytes, list) => {
      const wrong = Buffer.from(bytes);
      for (const { at, head, bytes: other } of list) {
        wrong.set(
          other,
          Math.max(0, Math.floor(at * (head ? Math.min(200, wrong.length) : wrong.length)) - other.length),
        );
      }
      await refused(factsOf(wrong));
    });
    await fc.assert(property, { numRuns: repeats(6000) });
  });

  it("never fails in another way on pieces of files put together", async () => {
    const piece = fc.tuple(fc.constantFrom(...files.values()), fc.nat(3000), fc.nat(3000));
    const property = fc.asyncProperty(
      fc.constantFrom(...files.values()),
      fc.array(piece, { maxLength: 3 }),
      async (first, rest) => {
        const joined = [
          first.subarray(0, 600),
          ...rest.map(([bytes, from, length]) => bytes.subarray(from, from + length)),
        ];
        await refused(factsOf(Buffer.concat(joined)));
      },
    );
    await fc.assert(property, { numRuns: repeats(1000) });
  });
});
