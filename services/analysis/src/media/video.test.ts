import { open, readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFrame } from "./frame.js";
import { UnreadableFileError } from "./probe/facts.js";
import { createMediaFolder, factsOf, type MediaFolder } from "./testing/make-media.js";
import { inspected } from "./testing/odd-files.js";
import { filmOfAnimation, openFilm, type Shot } from "./video.js";

describe("a video", () => {
  const X264 = "-pix_fmt yuv420p -c:v libx264 -preset ultrafast";
  let folder: MediaFolder;
  beforeAll(async () => {
    folder = await createMediaFolder();
  });
  afterAll(() => folder.remove());

  async function filmOf(file: string, durationMs: number) {
    return await openFilm(file, await factsOf(file, durationMs), { settings: {} });
  }

  async function shotsOf(file: string, durationMs: number): Promise<Shot[]> {
    const shots: Shot[] = [];
    for await (const shot of (await filmOf(file, durationMs)).frames) shots.push(shot);
    return shots;
  }

  /** The color in the middle of a picture. */
  const middle = ({ frame: { width, height, rgb } }: Shot): number[] => {
    const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 3;
    return [...rgb.subarray(at, at + 3)];
  };

  /** Sets a rotation of 90 degrees in the header of the first track. */
  async function turn(file: string): Promise<void> {
    const bytes = await readFile(file);
    // After the name of the box: version, times, number, duration, position and volume; then the matrix.
    const matrix = bytes.indexOf("tkhd") + 44;
    [0, 1, 0, -1, 0].forEach((value, i) => bytes.writeInt32BE(value * 0x10000, matrix + i * 4));
    await writeFile(file, bytes);
  }

  it("shows each scene once, from its cut to the next", async () => {
    const scenes = ["red", "green", "blue"].map((c) => `-f lavfi -i color=${c}:s=160x90:r=10:d=3.4`).join(" ");
    const file = await folder.make("cuts.mp4", `${scenes} -filter_complex concat=n=3 ${X264}`);
    const shots = await shotsOf(file, 10_200);
    // Not every frame is compared with the one before, so cuts are found up to a tenth of a second late.
    expect(shots.map(({ frame: { atMs }, untilMs }) => [atMs, untilMs].map((ms) => Math.floor(ms / 400)))).toEqual([
      [0, 8],
      [8, 17],
      [17, 25],
    ]);
    expect(shots.map((shot) => middle(shot).indexOf(Math.max(...middle(shot))))).toEqual([0, 1, 2]);
  });

  it("tells a cut from what only moves, also where a regular frame lies on the cut", async () => {
    const inputs = ["color=red:", "color=green:", "testsrc2="]
      .map((c) => `-f lavfi -i ${c}s=160x120:r=10:d=4`)
      .join(" ");
    const file = await folder.make("cut-or-move.mp4", `${inputs} -filter_complex concat=n=3 ${X264}`);
    const shots = await shotsOf(file, 12_000);
    const cuts = shots.filter(({ afterCut }) => afterCut).map(({ frame: { atMs } }) => Math.round(atMs / 400));
    expect(cuts).toEqual([10, 20]);
    expect(shots.length).toBeGreaterThan(3);
  });

  it("has a frame every two seconds of what moves", async () => {
    const file = await folder.make("moving.mp4", `-f lavfi -i testsrc2=s=160x120:r=5:d=9 ${X264}`);
    const times = (await shotsOf(file, 9000)).map(({ frame }) => frame.atMs);
    expect(times).toEqual(expect.arrayContaining([0, 2000, 4000, 6000, 8000]));
  });

  it("knows the true times where frames come irregularly", async () => {
    const picked = "select='lt(n,10)+eq(n,27)+eq(n,61)'";
    const file = await folder.make("irregular.mp4", `-f lavfi -i testsrc2=s=160x120:r=10:d=7 -vf ${picked} ${X264}`);
    const shots = await shotsOf(file, 7000);
    const times = shots.map(({ frame }) => frame.atMs);
    expect(times).toEqual(expect.arrayContaining([0, 2700, 6100]));
    expect(shots.at(-1)?.untilMs).toBe(7000);
  });

  it("stands upright and keeps its shape in 960 pixels", async () => {
    const flat = await folder.make("flat.mp4", `-f lavfi -i color=red:s=1280x720:r=5:d=0.4 ${X264}`);
    const turned = await folder.make("turned.mp4", `-i ${flat} -c copy`);
    await turn(turned);
    const [shot] = await shotsOf(turned, 400);
    expect(shot?.frame).toMatchObject({ width: 540, height: 960 });
  });

  it("makes pixels square", async () => {
    const file = await folder.make("wide.mp4", `-f lavfi -i color=red:s=100x100:r=5:d=0.4 -vf setsar=2 ${X264}`);
    const [shot] = await shotsOf(file, 400);
    expect(shot?.frame).toMatchObject({ width: 200, height: 100 });
  });

  it("uses what can be decoded of a damaged video, and does not say what comes after it", async () => {
    const args = `-f lavfi -i testsrc2=s=320x240:r=5:d=10 ${X264} -g 5 -movflags faststart`;
    const file = await folder.make("damaged.mp4", args);
    const { sizeBytes } = await factsOf(file, 0);
    const handle = await open(file, "r+");
    await handle.truncate(Math.floor(sizeBytes * 0.5));
    await handle.close();
    const shots = await shotsOf(file, 10_000);
    expect(shots.length).toBeGreaterThan(1);
    expect(shots.at(-1)?.untilMs).toBeLessThan(9000);
  });

  it("refuses a video of which nothing can be decoded", async () => {
    const file = await folder.make("sound.mp4", "-f lavfi -i sine=d=1 -c:a aac");
    await expect(shotsOf(file, 1000)).rejects.toThrow(UnreadableFileError);
  });

  it("names a codec that it has no decoder for", async () => {
    const file = await folder.make("odd.mp4", "-f lavfi -i testsrc=s=64x64:r=5:d=0.4 -c:v cinepak -f mov");
    await expect(shotsOf(file, 400)).rejects.toThrow(/encoded with cinepak.*convert it to H\.264/);
  });

  it("does not open a playlist in disguise", async () => {
    const inside = await folder.make("inside.mp4", `-f lavfi -i color=red:s=64x64:r=5:d=0.4 ${X264}`);
    const file = inside.replace("inside", "playlist");
    await writeFile(file, `#EXTM3U\n#EXTINF:1,\nfile://${inside}\n`);
    await expect(shotsOf(file, 1000)).rejects.toThrow(UnreadableFileError);
  });

  it("looks at a quarter of an hour in a bounded number of frames, scene changes included", async () => {
    const noise = "color=black:s=64x48:r=1:d=900,geq=lum='255*mod(floor(N/3)*0.618+floor(X/16)*0.3,1)':cb=128:cr=128";
    const file = await folder.make("long.mp4", `-f lavfi -i ${noise} ${X264}`);
    const shots = await shotsOf(file, 900_000);
    expect(shots.length).toBeGreaterThan(250);
    expect(shots.length).toBeLessThanOrEqual(601);
    expect(shots.at(-1)?.untilMs).toBe(900_000);
  });

  it("gives small frames in quick succession", async () => {
    const file = await folder.make("burst.mp4", `-f lavfi -i testsrc2=s=640x360:r=16:d=4 ${X264}`);
    const { film } = await filmOf(file, 4000);
    const burst = await film.burst(2000, { seconds: 1, perSecond: 8 });
    expect(burst.map(({ atMs }) => atMs)).toEqual([2000, 2125, 2250, 2375, 2500, 2625, 2750, 2875]);
    expect(burst[0]).toMatchObject({ width: 320, height: 180 });
    expect(await film.burst(60_000, { seconds: 1, perSecond: 8 })).toEqual([]);
  });

  it("ends with its caller", async () => {
    const file = await folder.make("ended.mp4", `-f lavfi -i testsrc2=s=320x240:r=25:d=4 ${X264}`);
    const ending = new AbortController();
    const { frames } = await openFilm(file, await factsOf(file, 4000), { settings: {}, signal: ending.signal });
    const read = async () => {
      for await (const shot of frames) if (shot.untilMs > 0) ending.abort(new Error("enough"));
    };
    await expect(read()).rejects.toThrow("enough");
  });

  it.each([
    ["plain", ""],
    ["of wide pixels", "-vf setsar=4/3"],
    ["of high pixels", "-vf setsar=3/4"],
  ])("has the shape that the headers tell: %s, upright and turned", async (name, filter) => {
    const file = await folder.make(`${name}.mp4`, `-f lavfi -i testsrc2=s=120x80:r=5:d=1 ${filter} ${X264}`);
    for (const make of [() => Promise.resolve(), () => turn(file)]) {
      await make();
      const { width, height } = await inspected(await readFile(file));
      const [shot] = await shotsOf(file, 1000);
      expect(shot!.frame.width / shot!.frame.height).toBeCloseTo(width! / height!, 1);
    }
  });

  it.each<[string, (film: Buffer) => Uint8Array[]]>([
    ["zeros", (film) => [film, Buffer.alloc(200)]],
    ["a script", (film) => [film, Buffer.from("<script>alert(1)</script>")]],
    ["a part of another film", (film) => [film, film.subarray(0, -100)]],
  ])("shows what stands in front of %s", async (name, make) => {
    const file = await folder.make(`${name}.mp4`, `-f lavfi -i testsrc2=s=120x80:r=5:d=1 ${X264}`);
    const bytes = Buffer.concat(make(await readFile(file)));
    await writeFile(file, bytes);
    expect(await shotsOf(file, (await inspected(bytes)).durationMs!)).not.toEqual([]);
  });
});

describe("an animation", () => {
  const gray = (level: number, atMs: number) =>
    createFrame({ width: 640, height: 320, rgb: new Uint8Array(640 * 320 * 3).fill(level), atMs });

  it("shows what differs, until it gives way", async () => {
    const { film, frames } = filmOfAnimation([gray(0, 0), gray(0, 100), gray(200, 200)], 300);
    const shots = [];
    for await (const { frame, untilMs } of frames) shots.push([frame.atMs, untilMs]);
    expect(shots).toEqual([
      [0, 200],
      [200, 300],
    ]);
    expect(film.durationMs).toBe(300);
  });

  it("takes a sudden change of the whole picture for a cut", async () => {
    const { frames } = filmOfAnimation([gray(0, 0), gray(20, 100), gray(200, 200), gray(0, 300)], 400);
    const shots = [];
    for await (const { frame, afterCut } of frames) shots.push([frame.atMs, afterCut]);
    expect(shots).toEqual([
      [0, false],
      [100, false],
      [200, true],
      [300, true],
    ]);
  });

  it("gives small frames as they are shown at each moment", async () => {
    const { film } = filmOfAnimation([gray(0, 0), gray(200, 200)], 300);
    const burst = await film.burst(0, { seconds: 1, perSecond: 10 });
    expect(burst.map(({ atMs, width, height, rgb }) => [atMs, width, height, rgb[0]])).toEqual([
      [0, 320, 160, 0],
      [100, 320, 160, 0],
      [200, 320, 160, 200],
    ]);
  });
});
