import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { createFrame } from "./media/frame.js";
import type { Film, Frame } from "./types.js";
import { estimatePoses } from "./vision/poses.js";
import { createCaption } from "./analyzers/caption/composed-caption.js";
import { createObjectId } from "./analyzers/object-id/object-id.js";
import { createActivityId } from "./analyzers/activity-id/activity-id.js";
import { ACTIVITIES } from "./vision/activities.js";

const gallery = { gallery: { faces: [], marks: [] } };
const require = createRequire(import.meta.url);

/** One of face-api's photos of people, scaled down. */
const photo = async (name: string): Promise<Frame> => {
  const file = await readFile(require.resolve(`@vladmandic/face-api/demo/${name}`));
  const { data, info } = await sharp(file)
    .resize({ width: 640 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return createFrame({ width: info.width, height: info.height, rgb: data, atMs: 0 });
};

const gray = (): Frame =>
  createFrame({ width: 320, height: 240, rgb: new Uint8Array(320 * 240 * 3).fill(128), atMs: 0 });
/** Grains by a linear congruential generator, the same each time. */
const noise = (): Frame => {
  let state = 1;
  const rgb = Uint8Array.from({ length: 320 * 240 * 3 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >>> 23;
  });
  return createFrame({ width: 320, height: 240, rgb, atMs: 0 });
};
/** A narrow strip of bands. */
const stripes = (): Frame => {
  const rgb = Uint8Array.from({ length: 16 * 1_600 * 3 }, (_, at) => (Math.floor(at / 48) % 20 < 10 ? 230 : 30));
  return createFrame({ width: 16, height: 1_600, rgb, atMs: 0 });
};
const film: Film = { durationMs: 4_000, burst: () => Promise.resolve([]) };

describe("a real photo", () => {
  // One frame for all tests: its detections are cached.
  const people = photo("sample1.jpg");

  it("has poses with the head above the shoulders", async () => {
    const [pose] = await estimatePoses(await people, 6);
    const height = (name: string): number => pose!.keypoints.find((point) => point.name === name)!.y;
    expect(height("nose")).toBeLessThan(Math.min(height("left shoulder"), height("right shoulder")));
    expect(pose!.keypoints).toHaveLength(17);
  });

  it("has activities of the closed list only, the same each time", async () => {
    const activities = await createActivityId();
    const found = await activities.look(await people, gallery);
    expect(ACTIVITIES.map(({ label }): string => label)).toEqual(
      expect.arrayContaining(found.map(({ value }) => value)),
    );
    expect(await activities.look(await photo("sample1.jpg"), gallery)).toEqual(found);
  });

  it("shows people as they are counted, and nothing that they only wear", async () => {
    const found = await (await createObjectId()).look(await people, gallery);
    expect(found.find(({ value }) => value === "person")?.count).toBeGreaterThan(0);
    expect(found.map(({ value }) => value).filter((value) => /hat|tie|gown|wig|sunglasses/.test(value))).toEqual([]);
  });

  it("is captioned by the people on it", async () => {
    const [caption] = await (await createCaption()).look(await people, gallery);
    expect(caption?.description).toMatch(/people|person|man|woman|men|women/);
  });
});

describe("a picture without anything", () => {
  const nothing = gray();

  it("has neither objects nor a name, whether it is gray, noise or stripes", async () => {
    const objects = await createObjectId();
    for (const picture of [nothing, noise(), stripes()]) expect(await objects.look(picture, gallery)).toEqual([]);
  });

  it("has neither activities nor a caption", async () => {
    expect(await (await createActivityId()).look(nothing, gallery)).toEqual([]);
    expect(await (await createCaption()).look(nothing, gallery)).toEqual([]);
  });

  it("leaves a video with its duration only", async () => {
    const watcher = (await createCaption()).watch!(gallery);
    await watcher.see(nothing, film, { untilMs: 4_000, afterCut: false });
    expect(watcher.finish()).toEqual([{ duration: "00:00:04", descriptions: [] }]);
  });
});
