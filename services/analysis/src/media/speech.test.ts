import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ModelError } from "../models/model.js";
import type { MediaFacts } from "./probe/facts.js";
import { selectSpeechModelFiles } from "./speech-model.js";
import { speechStatus, transcribe } from "./speech.js";

describe("transcripts", () => {
  const FACTS: MediaFacts = { format: "mp3", sizeBytes: 1000, durationMs: 1000, hasSound: true, hasPictures: false };

  let modelsDir: string;
  beforeEach(async () => {
    modelsDir = await mkdtemp(path.join(tmpdir(), "models-"));
  });
  afterEach(() => rm(modelsDir, { recursive: true, force: true }));

  it("says what to do when there is no model and none may be downloaded", async () => {
    const settings = { modelsDir, offline: true };
    const missing = /moonshine-tiny-ONNX is not in MODELS_DIR, and OFFLINE=1 forbids .* npm run models -- pull/;
    await expect(transcribe("sound.mp3", FACTS, { settings })).rejects.toThrow(missing);
    await expect(transcribe("sound.mp3", FACTS, { settings })).rejects.toThrow(ModelError);
    expect(await speechStatus(settings)).toEqual({ ready: false, error: expect.stringMatching(missing) });
  });

  it("does not download a model only to say how it is", async () => {
    const hub = { endpoint: "http://127.0.0.1:9" };
    expect(await speechStatus({ modelsDir, hub })).toEqual({
      ready: false,
      error: expect.stringMatching(
        /not in MODELS_DIR: it is downloaded when the first sound comes, or by npm run models/,
      ),
    });
  });

  it("names the model that is configured", async () => {
    const settings = { modelsDir, offline: true, media: { models: { speech: "acme/ear" } } };
    expect((await speechStatus(settings)).error).toContain("acme/ear");
    const wrong = { ...settings, media: { models: { speech: "ear" } } };
    expect((await speechStatus(wrong)).error).toContain('"ear" names no model');
  });

  it("says that files are no model, when it listens", async () => {
    const folder = path.join(modelsDir, "acme", "ear");
    await mkdir(folder, { recursive: true });
    for (const name of ["encoder_model.ort", "decoder_model_merged.ort"])
      await writeFile(path.join(folder, name), "no");
    await writeFile(path.join(folder, "tokenizer.bin"), "\u0001a");
    const settings = { modelsDir, offline: true, media: { models: { speech: "acme/ear" } } };
    expect(await speechStatus(settings)).toEqual({ ready: true });
    await expect(transcribe("sound.mp3", FACTS, { settings })).rejects.toThrow(/acme\/ear cannot be loaded/);
  });

  it("chooses the files of a model that are needed, in full precision where there is a choice", () => {
    const file = (name: string) => ({ path: name, bytes: 1, checksum: undefined });
    const names = ["README.md", "config.json", "tokenizer.json"];
    const networks = ["encoder_model", "decoder_model_merged", "decoder_model"].flatMap((name) => [
      `onnx/${name}_quantized.onnx`,
      `onnx/${name}.onnx`,
    ]);
    const chosen = selectSpeechModelFiles([...names, ...networks].map(file)).map((found) => found.path);
    expect(chosen.sort()).toEqual([
      "config.json",
      "onnx/decoder_model_merged.onnx",
      "onnx/encoder_model.onnx",
      "tokenizer.json",
    ]);
    expect(() => selectSpeechModelFiles(names.map(file))).toThrow(/no Moonshine model/);
  });
});
