import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HubSettings } from "./hub.js";
import { parseModelId } from "./model.js";
import { inspectModel, provideModel } from "./provide.js";
import { pullModel, type PullProgress } from "./pull.js";
import { type FakeHub, startFakeHub } from "./testing/fake-hub.js";

const ID = "acme/tiny";
const WEIGHTS = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256));
const FILES = { "config.json": "{}", "tokenizer.json": `{"a":1}`, "onnx/model.onnx": WEIGHTS, "README.md": "# Tiny" };
const FOLDER = ["acme", "tiny"];

let hub: FakeHub;
let modelsDir: string;

beforeEach(async () => {
  hub = await startFakeHub(ID, FILES);
  modelsDir = await mkdtemp(path.join(tmpdir(), "models-"));
});
afterEach(async () => {
  await hub.close();
  await rm(modelsDir, { recursive: true, force: true });
});

const settings = (more: Partial<HubSettings> = {}): HubSettings => ({ endpoint: hub.endpoint, pauseMs: 1, ...more });
const pull = (model = ID, more: Partial<HubSettings> = {}, onProgress?: (progress: PullProgress) => void) =>
  pullModel(parseModelId(model), { modelsDir, hub: settings(more), select: (files) => files, onProgress });
const at = (...names: string[]): string => path.join(modelsDir, ...FOLDER, ...names);
const state = async (model = ID) => (await inspectModel(modelsDir, parseModelId(model))).state;
const besides = () => readdir(path.join(modelsDir, "acme"));

describe("a download", () => {
  it("brings all files with their checksums and leaves nothing else", async () => {
    const steps: PullProgress[] = [];
    const manifest = await pull(ID, {}, (step) => steps.push(step));
    expect(await readFile(at("onnx/model.onnx"))).toEqual(WEIGHTS);
    expect(manifest).toMatchObject({ id: ID, revision: "main", commit: hub.commit, endpoint: hub.endpoint });
    expect(Object.keys(manifest.files).sort()).toEqual(Object.keys(FILES).sort());
    expect(await besides()).toEqual(["tiny"]);
    expect(await state()).toBe("ready");
    const last = steps.at(-1);
    expect(last?.received).toBe(last?.total);
  });

  it("does nothing when the commit is there", async () => {
    await pull();
    hub.requests.length = 0;
    await pull();
    expect(hub.requests).toHaveLength(1);
  });

  it("replaces an older commit and keeps the operator's own settings", async () => {
    await pull();
    await writeFile(at("hourglass.json"), "{}");
    hub.commit = "f".repeat(40);
    hub.files.set("config.json", Buffer.from(`{"new":true}`));
    hub.files.delete("README.md");
    expect((await pull()).commit).toBe(hub.commit);
    expect((await readdir(at())).sort()).toEqual(
      ["config.json", "hourglass-manifest.json", "hourglass.json", "onnx", "tokenizer.json"].sort(),
    );
    expect(await besides()).toEqual(["tiny"]);
  });

  /** Breaks the connection after each such number of further bytes of the weights. */
  const cutEvery =
    (bytes: number) =>
    ({ file, received }: PullProgress): void => {
      const others = Buffer.byteLength(FILES["config.json"] + FILES["tokenizer.json"]);
      if (file === "onnx/model.onnx" && received > others && (received - others) % bytes === 0) hub.cut();
    };

  it("continues where a cut connection stopped", async () => {
    hub.mishaps.set("onnx/model.onnx", { kind: "silence", times: 2, after: 100_000 });
    await pull(ID, {}, cutEvery(100_000));
    expect(hub.redirected.map(({ range }) => range)).toEqual([undefined, "bytes=100000-", "bytes=200000-"]);
    expect(await state()).toBe("ready");
  });

  it("continues where an earlier call gave up", async () => {
    hub.mishaps.set("onnx/model.onnx", { kind: "silence", times: 4, after: 50_000 });
    await expect(pull(ID, {}, cutEvery(50_000))).rejects.toThrow(/onnx\/model\.onnx was cut/);
    expect(await state()).toBe("absent");
    hub.redirected.length = 0;
    await pull();
    expect(hub.redirected.map(({ range }) => range)).toEqual(["bytes=200000-"]);
    expect(await readFile(at("onnx/model.onnx"))).toEqual(WEIGHTS);
  });

  it("notices a body that ends early without a word", async () => {
    hub.mishaps.set("onnx/model.onnx", { kind: "truncate", times: 9, after: 1000 });
    await expect(pull()).rejects.toThrow(/cut after \d+ of 300000 bytes/);
    expect(await state()).toBe("absent");
  });

  it("gives up on a server that falls silent", async () => {
    hub.mishaps.set("onnx/model.onnx", { kind: "silence", times: 9, after: 10 });
    await expect(pull(ID, { silenceMs: 50 })).rejects.toThrow(/stopped sending in the middle of onnx/);
  });

  it.each([true, false])("refuses other content than the hub's checksum says (checksums listed: %s)", async (blobs) => {
    hub.blobs = blobs;
    hub.mishaps.set("onnx/model.onnx", { kind: "corrupt", times: 9 });
    await expect(pull()).rejects.toMatchObject({ kind: "damaged", message: expect.stringContaining("checksum") });
    expect(await state()).toBe("absent");
    hub.mishaps.clear();
    await pull();
    expect(await state()).toBe("ready");
  });

  it("checks small files by git's hash", async () => {
    hub.mishaps.set("config.json", { kind: "corrupt", times: 1 });
    await pull();
    expect(await readFile(at("config.json"), "utf8")).toBe("{}");
    hub.commit = "e".repeat(40);
    hub.mishaps.set("config.json", { kind: "corrupt", times: 9 });
    await expect(pull()).rejects.toMatchObject({ kind: "damaged" });
    expect(await state()).toBe("ready");
  });

  it("tries again when the hub has a bad moment, and says so when it lasts", async () => {
    hub.mishaps.set("", { kind: "status", status: 503, times: 2 });
    hub.mishaps.set("config.json", { kind: "status", status: 429, times: 2 });
    await pull();
    hub.mishaps.set("", { kind: "status", status: 500, times: 99 });
    await expect(pull()).rejects.toMatchObject({ kind: "unreachable", message: expect.stringContaining("500") });
  });

  it("says that a model does not exist, at once", async () => {
    await expect(pull("acme/other")).rejects.toThrow(/no model acme\/other at revision main/);
    await expect(pull(`${ID}@v9`)).rejects.toThrow(/no model acme\/tiny at revision v9/);
    expect(hub.requests).toHaveLength(2);
  });

  it("says where it could not connect", async () => {
    await hub.close();
    await expect(pull()).rejects.toThrow(/127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/);
  });

  it("shows the token to the hub alone", async () => {
    hub.token = "hf_secret";
    await expect(pull()).rejects.toThrow(/answers 401 for acme\/tiny.*HF_TOKEN/);
    await pull(ID, { token: "hf_secret" });
    expect(hub.redirected).not.toHaveLength(0);
    expect(hub.redirected.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it("refuses what the disk has no room for before it begins", async () => {
    hub.claimedBytes.set("onnx/model.onnx", 2 ** 60);
    await expect(pull()).rejects.toMatchObject({ kind: "disk", message: expect.stringMatching(/MB free, \d+ MB are/) });
    expect(await besides()).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("says that it may not write", async () => {
    await chmod(modelsDir, 0o500);
    await expect(pull()).rejects.toMatchObject({ kind: "disk" });
    await chmod(modelsDir, 0o700);
  });

  it("never writes outside the model's folder", async () => {
    hub.files.set("../../evil.json", Buffer.from("{}"));
    hub.files.set("/evil.json", Buffer.from("{}"));
    const manifest = await pull();
    expect(Object.keys(manifest.files).sort()).toEqual(Object.keys(FILES).sort());
  });

  it("leaves a folder alone that somebody else filled", async () => {
    await mkdir(at(), { recursive: true });
    await writeFile(at("config.json"), "{}");
    await expect(pull()).rejects.toThrow(/not downloaded by this command: move them away/);
  });
});

describe("downloads of one model at a time", () => {
  it("wait for each other and download once", async () => {
    await Promise.all([pull(), pull(), pull()]);
    expect(hub.redirected).toHaveLength(1);
    expect(await state()).toBe("ready");
    expect(await besides()).toEqual(["tiny"]);
  });

  it("take over from a holder of the lock that died", async () => {
    await mkdir(path.join(modelsDir, "acme"));
    const lock = path.join(modelsDir, "acme", ".tiny.lock");
    await writeFile(lock, "somebody");
    await utimes(lock, new Date(0), new Date(0));
    await pull();
    expect(await besides()).toEqual(["tiny"]);
  });
});

describe("a model that is asked for", () => {
  const provide = (offline: boolean, model = ID) =>
    provideModel(parseModelId(model), { modelsDir, offline, hub: settings(), select: (files) => files });

  it("is downloaded when it is not there", async () => {
    expect(await provide(false)).toMatchObject({ state: "ready", manifest: { commit: hub.commit } });
    hub.requests.length = 0;
    expect(await provide(true)).toMatchObject({ state: "ready" });
    expect(hub.requests).toEqual([]);
  });

  it("is an error that says what to do when downloads are forbidden", async () => {
    await expect(provide(true)).rejects.toThrow(/OFFLINE=1 forbids.*npm run models -- pull acme\/tiny/);
    expect(hub.requests).toEqual([]);
  });

  it("is not asked for again and again when it cannot be had", async () => {
    hub.mishaps.set("", { kind: "status", status: 404, times: 99 });
    await expect(provide(false)).rejects.toThrow(/could not be downloaded.*fixed, run npm run models/);
    hub.requests.length = 0;
    await expect(provide(false)).rejects.toThrow(/could not be downloaded/);
    expect(hub.requests).toEqual([]);
  });

  it("is refused when its files changed, and mended by a pull", async () => {
    await pull();
    await writeFile(at("onnx/model.onnx"), Buffer.alloc(WEIGHTS.length));
    await expect(provide(false)).rejects.toThrow(
      /damaged \(onnx\/model\.onnx has another checksum\): run npm run models/,
    );
    await writeFile(at("onnx/model.onnx"), "short");
    await rm(at("config.json"));
    await expect(provide(false)).rejects.toThrow(/config\.json is missing, onnx\/model\.onnx has 5 bytes, not 300000/);
    await pull();
    expect(await state()).toBe("ready");
  });

  it("is refused when its manifest cannot be read", async () => {
    await pull();
    await writeFile(at("hourglass-manifest.json"), "{");
    await expect(provide(false)).rejects.toThrow(/hourglass-manifest\.json is damaged/);
  });

  it("may be named by the commit that a branch had", async () => {
    await pull();
    expect(await state(`${ID}@${hub.commit}`)).toBe("ready");
    expect(await state(`${ID}@v2`)).toBe("other");
    await expect(provide(true, `${ID}@v2`)).rejects.toThrow(/revision main is there/);
  });

  it("may be one that somebody put there", async () => {
    await mkdir(at(), { recursive: true });
    await writeFile(at("config.json"), "{}");
    expect(await provide(true)).toMatchObject({ state: "unverified" });
  });

  it.each(["tiny", "a/b/c", "../tiny", "acme/..", "acme/.tiny", "acme/tiny@", "acme/tiny@a@b", "acme/tiny@../x"])(
    "has to be named right: %s",
    (name) => {
      expect(() => parseModelId(name)).toThrow(/write owner\/name/);
    },
  );
});
