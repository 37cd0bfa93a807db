import workerpool from "workerpool";
import type { EngineSettings } from "../types.js";
import { forbidTelemetry } from "../engines/onnx-runtime.js";
import { decodeImage } from "../media/image.js";
import { type MediaFacts, UnreadableFileError } from "../media/probe/facts.js";
import { createVisualAnalyzers, type VisualAnalyzers } from "../registry/visual-registry.js";
import { detectFaces } from "../vision/faces.js";
import { analyzeFile } from "./analyze-file.js";
import { reported, watchMemory } from "./child-process.js";
import type { ChildResult, MediaFindings, MediaTask } from "./media-pool.js";

// Entry point of a process of the pool. It ends with its parent, and if it exceeds its memory limit.

let state: { settings: EngineSettings; analyzers: VisualAnalyzers } | undefined;

/** Called once, before anything else. Returns the process id. */
const start = (settings: EngineSettings): number => {
  state = { settings, analyzers: createVisualAnalyzers(settings) };
  watchMemory(settings.media?.memoryMaxMb);
  return process.pid;
};

const analyze = (task: MediaTask): Promise<ChildResult<MediaFindings>> =>
  reported(() => {
    if (state === undefined) throw new Error("the process was not started");
    return analyzeFile(task, state);
  });

const describe = (file: string, facts: MediaFacts): Promise<ChildResult<number[]>> =>
  reported(() => describeFace(file, facts));

forbidTelemetry();
// Ctrl-C reaches all processes of a terminal; the parent decides when this one ends.
process.on("SIGINT", () => undefined);
workerpool.worker({ start, analyze, describe });

/**
 * The 128-number descriptor of the one face in a picture. Throws UnreadableFileError if there is none or more than one.
 */
const describeFace = async (file: string, facts: MediaFacts): Promise<number[]> => {
  const faces = await detectFaces(await decodeImage(file, facts));
  const [face] = faces;
  if (face === undefined)
    throw new UnreadableFileError("No face was found in the picture. Take one that shows it from the front.");
  if (faces.length > 1)
    throw new UnreadableFileError(`The picture shows ${faces.length} faces. Take one with that person alone.`);
  return [...(await face.descriptor())];
};
