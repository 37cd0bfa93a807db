import type { EngineSettings } from "../../../engine-settings.js";
import { reasonOf } from "../../../registry/load-engine.js";
import type { Transcript } from "../../../visual.js";
import { lookAtPictures, type PictureFindings } from "./look-at-pictures.js";
import { LateFileError, UnreadableFileError } from "../../../decode/file-errors.js";
import type { MediaFindings, MediaTask } from "../media-task.js";
import { Stopwatch } from "./stopwatch.js";
import type { VisualAnalyzers } from "../../../registry/visual-registry.js";

export interface AnalyzeFileDeps {
  analyzers: VisualAnalyzers;
  settings: EngineSettings;
}

/**
 * Runs everything that a task requests, in the calling process. Rejects with UnreadableFileError if nothing of the file
 * can be decoded; if only its pictures or only its sound can be, the other part has errors. Rejects with LateFileError
 * if the machine is too busy.
 */
export const analyzeFile = async (task: MediaTask, deps: AnalyzeFileDeps): Promise<MediaFindings> => {
  const stopwatch = new Stopwatch();
  const looks = task.analyses.length > 0 || task.reads;
  const [pictures, sound] = await Promise.allSettled([
    looks ? lookAtPictures(task, deps) : undefined,
    task.hears ? stopwatch.time("transcript", () => hear(task, deps.settings)) : undefined,
  ]);
  refuseLate([pictures, sound]);
  refuseUnreadable([looks ? pictures : undefined, task.hears ? sound : undefined]);
  const findings = pictures.status === "fulfilled" ? (pictures.value ?? nothing()) : failed(task, pictures.reason);
  findings.timings.push(...stopwatch.timings());
  if (sound.status === "rejected") findings.errors.transcript = reasonOf(sound.reason);
  else if (sound.value !== undefined) return { ...findings, transcript: sound.value };
  return findings;
};

const hear = async ({ file, facts }: MediaTask, settings: EngineSettings): Promise<Transcript> => {
  const { transcribe } = await import("../../../speech/index.js");
  return transcribe(file, facts, { settings });
};

/** Throws if a part was late: a result missing for lack of time must not be reported as missing from the file. */
const refuseLate = (attempts: readonly PromiseSettledResult<unknown>[]): void => {
  for (const attempt of attempts)
    if (attempt.status === "rejected" && attempt.reason instanceof LateFileError) throw attempt.reason;
};

/** Throws if every attempt failed, and each because of the file. */
const refuseUnreadable = (attempts: readonly (PromiseSettledResult<unknown> | undefined)[]): void => {
  const tried = attempts.filter((attempt) => attempt !== undefined);
  const unreadable = tried.flatMap((attempt) =>
    attempt.status === "rejected" && attempt.reason instanceof UnreadableFileError ? [attempt.reason] : [],
  );
  const [first] = unreadable;
  if (first !== undefined && unreadable.length === tried.length) throw first;
};

const nothing = (): PictureFindings => ({ results: {}, errors: {}, models: {}, timings: [] });

const failed = ({ analyses, reads }: MediaTask, error: unknown): PictureFindings => {
  const findings = nothing();
  for (const type of analyses) findings.errors[type] = reasonOf(error);
  if (reads) findings.errors.reading = reasonOf(error);
  return findings;
};
