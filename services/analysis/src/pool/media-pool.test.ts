import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { LateFileError, type MediaFacts, UnreadableFileError } from "../media/probe/facts.js";
import { DEFAULT_SPEECH_MODEL } from "../media/speech-model.js";
import { startFakeHub } from "../models/testing/fake-hub.js";
import {
  createMediaPool,
  type MediaFindings,
  type MediaPool,
  type MediaPoolOptions,
  type MediaTask,
} from "./media-pool.js";

const workerpool = pathToFileURL(createRequire(import.meta.url).resolve("workerpool")).href;

/** A child whose behavior depends on the file; the real one is tested end to end with the build. */
const FATEFUL_CHILD = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import workerpool from "${workerpool}";
let settings;
const fates = {
  exit: () => process.exit(3),
  abort: () => process.abort(),
  hang: () => { for (;;); },
  starve: () => new Promise(() => undefined),
  late: () => ({ late: "ffmpeg had no processor" }),
  once: (file) => { if (!existsSync(file)) { writeFileSync(file, ""); process.exit(1); } },
};
const analyze = async ({ file, facts, gallery, transcribes }) => {
  const name = file.split("/").at(-1);
  const fate = await fates[name]?.(file);
  if (fate !== undefined) return fate;
  if (name === "unreadable") return { unreadable: "it is damaged" };
  if (name === "sound") return { value: { results: { transcribes }, errors: {}, models: {}, timings: [] }, rssBytes: 0 };
  if (name === "failed") return { failed: "the model is missing" };
  if (name === "slow") await new Promise((resolve) => setTimeout(resolve, 300));
  const rssBytes = name === "fat" ? 2 ** 40 : 1000;
  const timings = [{ analysis: String(process.pid), seconds: Object.keys(process.env).length }];
  return { value: { results: { name }, errors: { marks: gallery.marks[0]?.png }, models: settings, timings }, rssBytes };
};
workerpool.worker({ start: (given) => { settings = given; if (given.offline) process.exit(1); return process.pid; }, analyze, describe: (file) => ({ value: [file.length], rssBytes: 0 }) });
`;

const PNG_FACTS: MediaFacts = { format: "png", sizeBytes: 1, hasPictures: true, hasSound: false };

describe("createMediaPool", () => {
  const folder = mkdtempSync(join(tmpdir(), "hourglass-media-"));
  const child = pathToFileURL(join(folder, "child.mjs"));
  writeFileSync(child, FATEFUL_CHILD);
  let pool: MediaPool;
  const open = (options: Partial<MediaPoolOptions> = {}): MediaPool =>
    (pool = createMediaPool({ child, media: { processes: 2, environment: {} }, ...options }));
  afterEach(() => pool.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  const task = (name: string, more: Partial<MediaTask> = {}): MediaTask => ({
    file: join(folder, name),
    facts: PNG_FACTS,
    analyses: [],
    readsText: false,
    transcribes: false,
    gallery: { faces: [], marks: [] },
    ...more,
  });
  const processOf = ({ timings }: MediaFindings) => timings[0]?.analysis;

  it("gives each file what was found in it", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const found = await Promise.all(names.map((name) => open().analyze(task(name))));
    expect(found.map(({ results }) => results)).toEqual(names.map((name) => ({ name })));
  });

  it("hands over settings and bytes as they are, and nothing of the environment", async () => {
    const png = new Uint8Array([1, 2, 255]);
    const media = { processes: 1, environment: { LANG: "C" } };
    const request = task("a", { gallery: { faces: [], marks: [{ name: "Acme", png }] } });
    const { errors, models, timings } = await open({ modelsDir: "/models", media }).analyze(request);
    expect({ errors, models }).toMatchObject({ errors: { marks: png }, models: { modelsDir: "/models" } });
    // The channel to the parent adds two variables.
    expect(timings[0]?.seconds).toBeLessThanOrEqual(3);
  });

  it("keeps a process for the next file", async () => {
    open({ media: { processes: 1 } });
    const first = await pool.analyze(task("a"));
    expect(processOf(await pool.analyze(task("b")))).toBe(processOf(first));
  });

  it("starts again after a file that made the process large", async () => {
    open({ media: { processes: 1 } });
    const fat = await pool.analyze(task("fat"));
    expect(processOf(await pool.analyze(task("b")))).not.toBe(processOf(fat));
  });

  it("ends a process that has nothing to do", async () => {
    open({ media: { processes: 1 }, idleMs: 1 });
    const first = await pool.analyze(task("a"));
    const isAlive = () => {
      try {
        return process.kill(Number(processOf(first)), 0);
      } catch {
        return false;
      }
    };
    await vi.waitFor(() => expect(isAlive()).toBe(false));
    expect(processOf(await pool.analyze(task("b")))).not.toBe(processOf(first));
  });

  it.each(["exit", "abort"])("survives a file that makes the decoder %s, and its neighbors too", async (fate) => {
    open();
    const [poison, neighbor] = await Promise.allSettled([pool.analyze(task(fate)), pool.analyze(task("slow"))]);
    expect(poison).toMatchObject({ status: "rejected", reason: expect.any(UnreadableFileError) as Error });
    expect(neighbor).toMatchObject({ status: "fulfilled", value: { results: { name: "slow" } } });
    expect((await pool.analyze(task("b"))).results).toEqual({ name: "b" });
  });

  it("gives a file a second, fresh process", async () => {
    expect((await open().analyze(task("once"))).results).toEqual({ name: "once" });
  });

  it("gives up a file that takes too much processor time", async () => {
    open({ limits: { processorMaxMs: 200, clockMaxMs: 3_600_000 } });
    const hang = pool.analyze(task("hang"));
    await expect(hang).rejects.toThrow(UnreadableFileError);
    await expect(hang).rejects.toThrow(/takes too long/);
    expect((await pool.analyze(task("b"))).results).toEqual({ name: "b" });
  });

  it("does not call a file unreadable that was late without having had the processor", async () => {
    open({ limits: { processorMaxMs: 3_600_000, clockMaxMs: 300 } });
    await expect(pool.analyze(task("starve"))).rejects.toThrow(LateFileError);
    await expect(pool.analyze(task("late"))).rejects.toThrow(LateFileError);
    expect((await pool.analyze(task("b"))).results).toEqual({ name: "b" });
  });

  it("gives long sound and video more of both times", async () => {
    open({ limits: { processorMaxMs: 50, clockMaxMs: 50 } });
    const film = task("slow", { facts: { ...PNG_FACTS, durationMs: 60_000 } });
    expect((await pool.analyze(film)).results).toEqual({ name: "slow" });
  });

  it("keeps a process for owners who have none in work", async () => {
    open({ media: { processes: 1 } });
    const stop = new AbortController();
    const held = ["hang", "a"].map((name) => pool.analyze(task(name), { owner: 1, signal: stop.signal }));
    expect((await pool.analyze(task("b"), { owner: 2 })).results).toEqual({ name: "b" });
    stop.abort(new Error("enough"));
    expect((await Promise.allSettled(held)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("stops at once when the signal aborts", async () => {
    const controller = new AbortController();
    const work = open().analyze(task("hang"), { signal: controller.signal });
    controller.abort(new Error("lost"));
    await expect(work).rejects.toThrow("lost");
  });

  it("tells files that cannot be read from what is not their fault", async () => {
    open();
    await expect(pool.analyze(task("unreadable"))).rejects.toThrow(new UnreadableFileError("it is damaged"));
    await expect(pool.analyze(task("failed"))).rejects.toThrow(new Error("the model is missing"));
    await expect(open({ offline: true }).analyze(task("a"))).rejects.toThrow(/could not be started/);
  });

  it("fetches the model of speech before the file's time begins, and says when there is none", async () => {
    const hub = await startFakeHub(DEFAULT_SPEECH_MODEL, {
      "onnx/encoder_model.onnx": "encoder",
      "onnx/decoder_model_merged.onnx": "decoder",
      "tokenizer.json": "{}",
    });
    hub.mishaps.set("", { kind: "status", status: 403, times: 1 });
    const heard = (modelsDir: string) =>
      open({ modelsDir: join(folder, modelsDir), hub: { endpoint: hub.endpoint }, log }).analyze(
        task("sound", { transcribes: true }),
      );
    const lines: unknown[] = [];
    const log = { info: (...line: unknown[]) => lines.push(line), error: () => undefined };
    try {
      const without = await heard("forbidden");
      expect(without).toMatchObject({ results: { transcribes: false } });
      expect(without.errors.transcript).toMatch(/could not be downloaded.*npm run models -- pull/);
      expect(await heard("allowed")).toMatchObject({ results: { transcribes: true }, errors: {} });
      expect(lines).toContainEqual([
        expect.objectContaining({ analysis: "speech" }),
        "model is downloaded and checked",
      ]);
    } finally {
      await hub.close();
    }
  });

  it("describes a face in a process, too", async () => {
    expect(await open().describeFace("/abc", PNG_FACTS)).toEqual([4]);
  });

  it("takes nothing more once it is closed, and leaves no process", async () => {
    const work = open()
      .analyze(task("hang"))
      .catch((error: unknown) => error);
    await pool.close();
    expect(await work).toBeInstanceOf(Error);
    await expect(pool.analyze(task("a"))).rejects.toThrow(/closed/);
  });
});
