import type { VisualAnalysis } from "../registry/analyses.js";
import type { MediaFacts } from "../formats/media-facts.js";
import type { MediaFindings } from "../pool/media/media-task.js";
import type { SiteTime } from "./site-time.js";

/** A file of an operation: the id of an upload, or a URL. */
export type FileContent = { kind: "file-id"; value: number } | { kind: "url"; value: string };

/** The request to analyse a file. */
export interface FileAnalysisRequest {
  /** The company whose gallery is used and whose slots are taken. */
  companyId: number;
  /** The remaining time of the operation's sites; without it, sites have no common limit. */
  siteTime?: SiteTime;
  analyses: readonly VisualAnalysis[];
  /** Whether spoken and written words are requested. */
  words: boolean;
  signal?: AbortSignal;
  onTimed?: (timing: MediaFindings["timings"][number]) => void;
}

/** The results for a file; those that do not apply to its format are missing. */
export interface FileFindings extends Omit<MediaFindings, "timings"> {
  facts: Pick<MediaFacts, "format" | "hasSound" | "hasPictures">;
}

/** The file cannot be read; `message` is a sentence for its owner. */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}

/** Fetches and analyses files, each isolated from the others. */
export interface FileAnalyst {
  /** Rejects with UnusableFileError because of the file, and with another error if a retry may succeed. */
  analyse(content: FileContent, request: FileAnalysisRequest): Promise<FileFindings>;
}
