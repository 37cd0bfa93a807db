import type { VisualAnalysis, VisualResultOf } from "../../registry/analyses.js";
import type { Owner } from "@hourglass/runtime/fair-limit";
import type { ModelRef } from "../../analyzer.js";
import type { MediaFacts } from "../../formats/media-facts.js";
import type { Gallery, Transcript } from "../../visual.js";

/** The analyses requested for one file. Plain data, because it is passed to another process. */
export interface MediaTask {
  /** Absolute path. */
  file: string;
  facts: MediaFacts;
  /** Of its pictures; empty for audio files. */
  analyses: readonly VisualAnalysis[];
  /** Whether to read the words in its pictures. */
  reads: boolean;
  /** Whether to transcribe its sound. */
  hears: boolean;
  gallery: Gallery;
}

/** Words read in pictures, each line once, in reading order; empty if there are none. */
export interface Reading {
  text: string;
  model: ModelRef;
}

/** The results. A failed part has an error, a sentence for a person, instead of a result. */
export interface MediaFindings {
  results: { [T in VisualAnalysis]?: VisualResultOf[T] };
  errors: Partial<Record<VisualAnalysis | "reading" | "transcript", string>>;
  /** The models that made the results. */
  models: Partial<Record<VisualAnalysis, ModelRef>>;
  /** Absent if it was not requested or failed. */
  reading?: Reading;
  transcript?: Transcript;
  timings: { analysis: VisualAnalysis | "reading" | "transcript" | "decoding"; seconds: number }[];
}

export interface MediaCallOptions {
  /** The file's owner. Default: one for all. */
  owner?: Owner;
  signal?: AbortSignal;
  /** Called when a process starts with the file. */
  onBegun?: () => void;
}

/** Analyses files in separate processes, so that a malicious file cannot affect anything else. */
export interface MediaPool {
  /**
   * Rejects with UnreadableFileError because of the file, with LateFileError because of a busy machine, with the
   * signal's reason on abort, and with another error if no process works. Owners share the processes; one is reserved
   * for owners that use none.
   */
  analyze(task: MediaTask, options?: MediaCallOptions): Promise<MediaFindings>;
  /** Loads every model in a process and returns the status of each. */
  analyzers(): Promise<MediaAnalyzerStatus[]>;
  /** The 128-number descriptor of the one face in a picture; UnreadableFileError if there is none or more than one. */
  describeFace(file: string, facts: MediaFacts): Promise<number[]>;
  /** Waits for the files in progress, then ends the processes. */
  close(): Promise<void>;
}

/** The status of one model, or of ffmpeg, after an attempt to load it. */
export interface MediaAnalyzerStatus {
  type: VisualAnalysis | "reading" | "speech" | "ffmpeg";
  engine: string;
  model?: ModelRef;
  ready: boolean;
  /** The reason why it is not ready, and what to do. */
  error?: string;
  /** It is ready but not in order: the reason, and what to do. */
  warning?: string;
}
