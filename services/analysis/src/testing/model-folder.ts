import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { enumSpellings } from "@hourglass/runtime";
import type { Analyzer, EngineSettings, TextDocument } from "../types.js";
import { createDocument } from "../text/document.js";
import { writeFiles } from "./tiny-models.js";

const ANALYSES = [...enumSpellings(AnalysisTypeSchema).values()];

/** A folder of models for a test; there is no server to download from. */
export interface ModelFolder {
  modelsDir: string;
  /** Stores a model and the operator's settings for it in the expected place. */
  place(model: string, files: Readonly<Record<string, Buffer | string>>, settings?: unknown): Promise<void>;
  /** Settings with that model for every analysis. */
  settingsFor(model: string): EngineSettings;
  remove(): Promise<void>;
}

export async function createModelFolder(): Promise<ModelFolder> {
  const modelsDir = await mkdtemp(path.join(tmpdir(), "models-"));
  return {
    modelsDir,
    place: (model, files, settings) => {
      const own = settings === undefined ? {} : { "hourglass.json": JSON.stringify(settings) };
      return writeFiles(path.join(modelsDir, model), { ...files, ...own });
    },
    settingsFor: (model) => ({
      modelsDir,
      offline: true,
      hub: { endpoint: "http://127.0.0.1:9" },
      models: Object.fromEntries(ANALYSES.map((type) => [type, model])),
    }),
    remove: () => rm(modelsDir, { recursive: true, force: true }),
  };
}

/** A text with a given language: language detection is tested elsewhere. */
export const documentIn = (code: string, text: string): TextDocument =>
  Object.defineProperty(createDocument(text), "language", { value: { code, prob: 1 } });

/** The explained result of one text. */
export async function analyzeAlone<Result>(
  analyzer: Analyzer<string, Result>,
  text: string,
  language = "en",
): Promise<Result> {
  const document = documentIn(language, text);
  await analyzer.prepare?.([document], { explain: true });
  return analyzer.analyze(document, { explain: true });
}
