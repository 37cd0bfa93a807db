import type { Owner } from "@hourglass/runtime/fair-limit";
import type { ModelRef } from "../../analyzer.js";
import type { MediaFacts } from "../../formats/media-facts.js";
import type { Gallery, Transcript, VisualAnalysis, VisualResultOf } from "../../visual.js";

/** What is to be found out about one file. Plain data, since another process gets it. */
export interface MediaTask {
  /** Absolute path. */
  file: string;
  facts: MediaFacts;
  /** Of its pictures; none for sound. */
  analyses: readonly VisualAnalysis[];
  /** Whether words in its pictures are to be read. */
  reads: boolean;
  /** Whether its sound is to be written down. */
  hears: boolean;
  gallery: Gallery;
}

/** Words read in pictures, each line once, in reading order; empty when there are none. */
export interface Reading {
  text: string;
  model: ModelRef;
}

/** What was found out. What could not be made has an error, a sentence for a person, in place of a result. */
export interface MediaFindings {
  results: { [T in VisualAnalysis]?: VisualResultOf[T] };
  errors: Partial<Record<VisualAnalysis | "reading" | "transcript", string>>;
  /** What made the results. */
  models: Partial<Record<VisualAnalysis, ModelRef>>;
  /** Absent when it was not asked for, or could not be made. */
  reading?: Reading;
  transcript?: Transcript;
  timings: { analysis: VisualAnalysis | "reading" | "transcript" | "decoding"; seconds: number }[];
}

export interface MediaCallOptions {
  /** Whose file it is. Default: one for all. */
  owner?: Owner;
  signal?: AbortSignal;
  /** Told when the file has its process. */
  onBegun?: () => void;
}

/** Looks at files in processes of their own, where a poisonous file harms nothing else. */
export interface MediaPool {
  /**
   * Rejects with UnreadableFileError because of the file, with LateFileError because of a busy machine, with the signal's
   * reason when that aborts, and with another error when no process can work. Owners share the processes; one is kept for
   * those who have none.
   */
  analyze(task: MediaTask, options?: MediaCallOptions): Promise<MediaFindings>;
  /** Loads every model in a process and says how each is. */
  analyzers(): Promise<MediaAnalyzerStatus[]>;
  /** The 128 numbers of the one face in a picture; UnreadableFileError when there is none or more than one. */
  describeFace(file: string, facts: MediaFacts): Promise<number[]>;
  /** Waits for the files under way, then ends the processes. */
  close(): Promise<void>;
}

/** What is known of one model, or of ffmpeg, after an attempt to load it. */
export interface MediaAnalyzerStatus {
  type: VisualAnalysis | "reading" | "speech" | "ffmpeg";
  engine: string;
  model?: ModelRef;
  ready: boolean;
  /** Why it is not ready, and what to do. */
  error?: string;
  /** Ready, but not as it should be: why, and what to do. */
  warning?: string;
}
