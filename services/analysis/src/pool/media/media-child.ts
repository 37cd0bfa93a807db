import workerpool from "workerpool";
import type { EngineSettings } from "../../engine-settings.js";
import type { MediaFacts } from "../../formats/media-facts.js";
import { analyzeFile } from "./child/analyze-file.js";
import { describeFace } from "./child/describe-face.js";
import { forbidTelemetry } from "../../engines/onnx-runtime.js";
import { LateFileError, UnreadableFileError } from "../../decode/file-errors.js";
import type { MediaFindings, MediaTask } from "./media-task.js";
import { watchMemory } from "./memory-watch.js";
import { createVisualAnalyzers, type VisualAnalyzers } from "../../registry/visual-registry.js";

// Entry point of a process of the pool. It ends with its parent, and if it exceeds its memory limit.

/** A process's answer; error classes do not survive the transfer to the parent. */
export type ChildAnswer<T> =
  { value: T; rssBytes: number } | { unreadable: string } | { late: string } | { failed: string };

let state: { settings: EngineSettings; analyzers: VisualAnalyzers } | undefined;

/** Called once, before anything else. Returns the process id. */
const begin = (settings: EngineSettings): number => {
  state = { settings, analyzers: createVisualAnalyzers(settings) };
  watchMemory(settings.media?.memoryMaxMb);
  return process.pid;
};

const analyze = (task: MediaTask): Promise<ChildAnswer<MediaFindings>> =>
  answering(() => {
    if (state === undefined) throw new Error("the process was not told how to work");
    return analyzeFile(task, state);
  });

const describe = (file: string, facts: MediaFacts): Promise<ChildAnswer<number[]>> =>
  answering(() => describeFace(file, facts));

const answering = async <T>(work: () => Promise<T>): Promise<ChildAnswer<T>> => {
  try {
    return { value: await work(), rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LateFileError) return { late: message };
    return error instanceof UnreadableFileError ? { unreadable: message } : { failed: message };
  }
};

forbidTelemetry();
// Ctrl-C reaches all processes of a terminal; the parent decides when this one ends.
process.on("SIGINT", () => undefined);
workerpool.worker({ begin, analyze, describe });
