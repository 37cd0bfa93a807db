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

  it("says once that there are faces, how many and where", async () => {
    const [face, ...others] = await look(await seen);
    expect(others).toEqual([]);
    expect(face).toMatchObject({ value: "face", count: 3 });
    const faces = await detectFaces(await seen);
    const inOrder = faces.toSorted((a, b) => b.prob - a.prob);
    expect(face?.boxes?.map(([x, y, width, height]) => [x, y, width, height])).toEqual(
      inOrder.map(({ box }) =>
        [box.left, box.top, box.width, box.height].map((part) => expect.closeTo(part, 3) as number),
      ),
    );
    expect(face?.boxes?.[0]?.[4]).toBe(face?.prob);
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
    const leftOf = (name: string) => found.find(({ value }) => value === name)?.boxes?.[0]?.[0];
    // Mirrored, the left edge is where the right one was.
    expect(leftOf("Ann")).toBeCloseTo(1 - first!.box.left - first!.box.width, 1);
    expect(leftOf("Bea")).toBeCloseTo(1 - second!.box.left - second!.box.width, 1);
    expect(found.map(({ count }) => count)).toEqual([1, 1, 1]);
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
