import { createRequire } from "node:module";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createMediaFolder, factsOf, type MediaFolder } from "../../media/testing/make-media.js";
import { openFilm } from "../../media/video.js";
import { createCaption } from "./composed-caption.js";

const require = createRequire(import.meta.url);
const photo = (number: number): string => require.resolve(`@vladmandic/face-api/demo/sample${number}.jpg`);
const FIT = "scale=640:480,setsar=1";

let folder: MediaFolder;
beforeAll(async () => {
  folder = await createMediaFolder();
});
afterAll(() => folder.remove());

it("describes both sides of a hard cut between pictures that share people, each as it is", async () => {
  const inputs = [1, 6].map((number) => `-loop 1 -t 3 -r 10 -i ${photo(number)}`).join(" ");
  const joined = `[0]${FIT}[a];[1]${FIT}[b];[a][b]concat=n=2`;
  const file = await folder.make(
    "cut.mp4",
    `${inputs} -filter_complex ${joined} -pix_fmt yuv420p -c:v libx264 -preset ultrafast`,
  );
  const captions = await createCaption();
  const context = { gallery: { faces: [], marks: [] } };
  const { film, frames } = await openFilm(file, await factsOf(file, 6000), { settings: {} });
  const watcher = captions.watch?.(context);
  const alone: unknown[] = [];
  for await (const { frame, ...showing } of frames) {
    alone.push((await captions.look(frame, context))[0]?.description);
    await watcher?.see(frame, film, showing);
  }
  const [caption] = watcher?.finish() ?? [];
  expect(caption?.descriptions?.map(({ timestamp }) => timestamp)).toEqual(["00:00:00", "00:00:03"]);
  expect(caption?.descriptions?.map(({ description }) => description)).toEqual(alone);
  expect(alone[0]).not.toBe(alone[1]);
}, 120_000);
