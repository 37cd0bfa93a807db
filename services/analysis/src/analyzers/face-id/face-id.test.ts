import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { createFrame } from "../../media/frame.js";
import { detectFaces, type FaceSighting } from "../../vision/faces.js";
import type { Detection, Frame, Gallery } from "../../types.js";
import { createFaceId } from "./face-id.js";

const require = createRequire(import.meta.url);

const frameOf = async (picture: Sharp): Promise<Frame> => {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return createFrame({ width: info.width, height: info.height, rgb: data, atMs: 0 });
};
/** A photo of people that comes with face-api. */
const photo = async (number: number): Promise<Sharp> =>
  sharp(await readFile(require.resolve(`@vladmandic/face-api/demo/sample${number}.jpg`))).resize({ width: 960 });

const look = async (frame: Frame, faces: Gallery["faces"] = []): Promise<Detection[]> =>
  (await createFaceId()).look(frame, { gallery: { faces, marks: [] } });

/** Crops a face with a margin of so many times its own size on each side. */
const cut = async (picture: Sharp, { box }: FaceSighting, more: number): Promise<Sharp> => {
  const { data, info } = await picture.clone().png().toBuffer({ resolveWithObject: true });
  const [width, height] = [box.width * info.width, box.height * info.height];
  const left = Math.max(0, Math.round(box.left * info.width - width * more));
  const top = Math.max(0, Math.round(box.top * info.height - height * more));
  return sharp(data).extract({
    left,
    top,
    width: Math.min(info.width - left, Math.round(width * (1 + 2 * more))),
    height: Math.min(info.height - top, Math.round(height * (1 + 2 * more))),
  });
};

describe("face-id", () => {
  const people = photo(1);
  const seen = people.then((picture) => frameOf(picture.clone()));

  it("says once that there are faces", async () => {
    expect(await look(await seen)).toEqual([{ value: "face", prob: expect.any(Number) as number }]);
    expect((await detectFaces(await seen)).length).toBe(3);
  });

  it("names those whom the company has enrolled, mirrored and smaller too", async () => {
    const [first, second] = await detectFaces(await seen);
    const gallery = [
      { name: "Ann", descriptor: await first!.descriptor() },
      { name: "Bea", descriptor: await second!.descriptor() },
    ];
    const other = await frameOf((await people).clone().flop().resize({ width: 800 }));
    const found = await look(other, gallery);
    expect(found.map(({ value }) => value).toSorted()).toEqual(["Ann", "Bea", "face"]);
  });

  it("does not give a stranger an enrolled person's name", async () => {
    const [known] = await detectFaces(await seen);
    const strangers = await frameOf(await photo(4));
    const found = await look(strangers, [{ name: "Ann", descriptor: await known!.descriptor() }]);
    expect(found.map(({ value }) => value)).toEqual(["face"]);
  });

  it("finds a face that fills the picture", async () => {
    const [face] = await detectFaces(await seen);
    expect(await look(await frameOf(await cut(await people, face!, 0.15)))).toHaveLength(1);
  });

  it("finds none where nobody is", async () => {
    const gray = { create: { width: 320, height: 240, channels: 3, background: "#808080" } } as const;
    expect(await look(await frameOf(sharp(gray)))).toEqual([]);
  });
});
