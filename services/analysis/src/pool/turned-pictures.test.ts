import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createVisualAnalyzers } from "../registry/visual-registry.js";
import type { Detection } from "../types.js";
import { analyzeFile } from "./analyze-file.js";

const require = createRequire(import.meta.url);

let folder: string;
let upright: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-turned-"));
  // Three people beside each other.
  const photo = await readFile(require.resolve("@vladmandic/face-api/demo/sample1.jpg"));
  upright = await sharp(photo).resize({ width: 800 }).png().toBuffer();
});
afterAll(() => rm(folder, { recursive: true }));

/** The Exif orientations by what a camera does to the upright picture; viewers undo it. */
const STORED: Readonly<Record<number, { angle: number; mirrored: boolean }>> = {
  1: { angle: 0, mirrored: false },
  2: { angle: 0, mirrored: true },
  3: { angle: 180, mirrored: false },
  4: { angle: 180, mirrored: true },
  5: { angle: 90, mirrored: true },
  6: { angle: 270, mirrored: false },
  7: { angle: 270, mirrored: true },
  8: { angle: 90, mirrored: false },
};

async function stored(orientation: number): Promise<string> {
  const { angle, mirrored } = STORED[orientation]!;
  const turned = await sharp(upright).rotate(angle).png().toBuffer();
  const picture = sharp(turned).flop(mirrored).jpeg({ quality: 95 }).withMetadata({ orientation });
  const file = path.join(folder, `${orientation}.jpg`);
  await writeFile(file, await picture.toBuffer());
  return file;
}

const settings = {};
const analyzers = createVisualAnalyzers(settings);

async function detected(orientation: number): Promise<{ faces: Detection[]; objects: Detection[] }> {
  const facts = { format: "jpg", sizeBytes: 1, hasSound: false, hasPictures: true } as const;
  const { results } = await analyzeFile(
    {
      file: await stored(orientation),
      facts,
      analyses: ["face-id", "object-id"],
      gallery: { faces: [], marks: [] },
      readsText: false,
      transcribes: false,
    },
    { analyzers, settings },
  );
  return { faces: results["face-id"] ?? [], objects: results["object-id"] ?? [] };
}

/** From left to right: two equally sure ones may change places. */
const placesOf = (detections: readonly Detection[], label: string) =>
  detections
    .find(({ value }) => value === label)
    ?.boxes?.map(([x, y, width, height]) => [x, y, width, height])
    .toSorted(([a = 0], [b = 0]) => a - b);

it("has the boxes of people and faces where they are shown, however the picture is stored", async () => {
  const plain = await detected(1);
  const [faces, people] = [placesOf(plain.faces, "face"), placesOf(plain.objects, "person")];
  expect([faces?.length, people?.length]).toEqual([3, 3]);
  for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
    const turned = await detected(orientation);
    const near = (boxes: number[][] | undefined) =>
      boxes?.map((box) => box.map((part) => expect.closeTo(part, 1) as number));
    expect(placesOf(turned.faces, "face"), `faces at ${orientation}`).toEqual(near(faces));
    expect(placesOf(turned.objects, "person"), `people at ${orientation}`).toEqual(near(people));
  }
});
