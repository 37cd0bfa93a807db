import { type Blobs, createUrlFetcher, type Lifecycle, type Logger, type OutboundConfig } from "@hourglass/runtime";
import type { AnalysisConfig } from "../config.js";
import type { MediaPool } from "../pool/media/media-task.js";
import type { FileAnalyst } from "./file-analyst.js";
import { createFileAnalyst } from "./create-file-analyst.js";
import { Scratch } from "./scratch.js";

export interface OpenFileAnalystDeps {
  config: { analysis: AnalysisConfig; outbound: OutboundConfig };
  blobs: Blobs;
  pool: MediaPool;
  lifecycle: Lifecycle;
  log: Logger;
}

/** The configured analyst of a worker process. The lifecycle removes its scratch folder. */
export async function openFileAnalyst({ config, lifecycle, ...deps }: OpenFileAnalystDeps): Promise<FileAnalyst> {
  const scratch = await Scratch.open();
  lifecycle.add("scratch folder", () => scratch.close());
  const { processes, faceRecognition } = config.analysis.media;
  const { fetches: urlFetches, ...outbound } = config.outbound;
  const fetcher = createUrlFetcher(outbound);
  const { fileLimits: limits } = config.analysis;
  return createFileAnalyst({ ...deps, fetcher, scratch, limits, processes, urlFetches, faceRecognition });
}
