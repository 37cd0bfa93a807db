import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeAnimation, decodeImage } from "./image.js";
import { UnacceptableFileError, UnreadableFileError } from "./probe/facts.js";
import { createMediaFolder, type MediaFolder } from "./testing/make-media.js";
import { gifOfNoise, inspected, jpgOfNoise, mp4OfNoise, noise, pngOfNoise } from "./testing/odd-files.js";
import { openFilm } from "./video.js";

let folder: MediaFolder;
let scratch: string;
const files = new Map<string, Buffer>();

beforeAll(async () => {
  folder = await createMediaFolder();
  scratch = await mkdtemp(path.join(tmpdir(), "hostile-"));
  const picture = sharp(noise(160 * 120 * 3), { raw: { width: 160, height: 120, channels: 3 } }).blur(3);
  files.set("png", await picture.clone().png().toBuffer());
  files.set("jpg", await picture.clone().jpeg().toBuffer());
  files.set("progressive", await picture.clone().jpeg({ progressive: true }).toBuffer());
  files.set("gif", await readFile(await folder.make("a.gif", "-f lavfi -i testsrc=s=64x48:d=1:r=5")));
  files.set("mp4", await readFile(await folder.make("a.mp4", "-f lavfi -i testsrc=s=64x48:d=2:r=10 -pix_fmt yuv420p")));
});

afterAll(async () => {
  await folder.remove();
  await rm(scratch, { recursive: true });
});

/** Number of frames that decoders get from the file, whose headers must be valid. */
async function decode(bytes: Buffer): Promise<number> {
  const facts = await inspected(bytes);
  const file = path.join(scratch, `file.${facts.format}`);
  await writeFile(file, bytes);
  if (facts.format === "gif") return (await decodeAnimation(file, facts)).length;
  if (facts.format !== "mp4") return (await decodeImage(file, facts)).width > 0 ? 1 : 0;
  const { frames } = await openFilm(file, facts, { settings: {} });
  let count = 0;
  for await (const _frame of frames) count += 1;
  return count;
}

/** Whether the file can be decoded; false if it is refused with a message for its owner. */
async function survives(bytes: Buffer): Promise<boolean> {
  try {
    return (await decode(bytes)) > 0;
  } catch (error) {
    if (error instanceof UnacceptableFileError || error instanceof UnreadableFileError) return false;
    throw error;
  }
}

describe("files with right headers and poison behind them", () => {
  it("are decoded when nothing is wrong", async () => {
    for (const bytes of files.values()) expect(await decode(bytes)).toBeGreaterThan(0);
  });

  it.each([
    ["png", () => pngOfNoise(160, 120)],
    ["jpg", () => jpgOfNoise(files.get("jpg")!)],
    ["progressive jpg", () => jpgOfNoise(files.get("progressive")!)],
    ["gif", () => gifOfNoise(files.get("gif")!)],
    ["mp4", () => mp4OfNoise(files.get("mp4")!)],
  ])("of noise are unreadable (%s)", async (_, make) => {
    await expect(decode(make())).rejects.toThrow(UnreadableFileError);
  });

  it("with a few wrong bytes are decoded or refused, and nothing worse", async () => {
    const change = fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255));
    const pictures = ["png", "jpg", "progressive", "gif"].map((name) => files.get(name)!);
    const property = fc.asyncProperty(
      fc.constantFrom(...pictures),
      fc.array(change, { minLength: 1, maxLength: 6 }),
      async (bytes, list) => {
        const wrong = Buffer.from(bytes);
        for (const [at, byte] of list) wrong[Math.floor(at * wrong.length)] = byte;
        await survives(wrong);
      },
    );
    await fc.assert(property, { numRuns: repeats(200) });
  });

  it("with wrong bytes among the samples of a film are decoded or refused, and nothing worse", async () => {
    const film = files.get("mp4")!;
    const samples = film.indexOf("mdat") + 4;
    for (let seed = 1; seed <= 8; seed++) {
      const wrong = Buffer.from(film);
      wrong.set(noise(12, seed), samples + seed * 97);
      await survives(wrong);
    }
  });
});
