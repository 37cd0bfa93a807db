import { fromBinary } from "@bufbuild/protobuf";
import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import { FileSchema } from "@hourglass/proto/media/v1/media_service";
import {
  AppError,
  type Blobs,
  contractBlobKey,
  createUrlFetcher,
  FairLimit,
  type Lifecycle,
  type Logger,
  type OutboundConfig,
  type Release,
  UnreachableUrlError,
  type UrlFetcher,
} from "@hourglass/runtime";
import type { AnalysisConfig } from "../config.js";
import {
  type MediaFacts,
  UnacceptableFileError,
  UnreadableFileError,
  UPLOAD_FORMATS,
  URL_FORMATS,
} from "../media/probe/facts.js";
import { createInspector, inspecting } from "../media/probe/inspector.js";
import type { FileLimits } from "../media/probe/limits.js";
import type { VisualAnalysis } from "../registry/analyses.js";
import type { Gallery } from "../types.js";
import type { MediaFindings, MediaPool, MediaTask } from "./media-pool.js";
import { Scratch } from "./scratch.js";

/** A file of an operation: the id of an upload, or a URL. */
export type FileContent = { kind: "file-id"; value: number } | { kind: "url"; value: string };

/** The request to analyze a file. */
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

/** Fetches and analyzes files, each isolated from the others. */
export interface FileAnalyst {
  /** Rejects with UnusableFileError because of the file, and with another error if a retry may succeed. */
  analyze(content: FileContent, request: FileAnalysisRequest): Promise<FileFindings>;
}

export interface FileAnalystDeps {
  blobs: Blobs;
  fetcher: UrlFetcher;
  pool: MediaPool;
  scratch: Scratch;
  limits: FileLimits;
  /** Processes of the pool: this many stored files of one company are read at a time, and one more in advance. */
  processes: number;
  /** Files that are fetched from sites at a time; one company may use at most half of them. */
  urlFetches: number;
  /** Whether faces are matched with enrolled people. */
  faceRecognition: boolean;
  log: Logger;
}

const SITES_TOO_SLOW =
  "The sites of this operation's URLs took too long, so this one was not fetched. Name faster sites, or upload the files.";

/**
 * Fetches files into the scratch folder, checks their format, and passes them to the pool. A fetching slot is held
 * until the pool starts with the file, which bounds the number of files in the folder; a slow site does not delay the
 * analysis of other files.
 */
export function createFileAnalyst(deps: FileAnalystDeps): FileAnalyst {
  const { scratch, pool } = deps;
  const limits: Record<FileContent["kind"], FairLimit> = {
    url: new FairLimit({ places: deps.urlFetches, placesPerOwner: Math.ceil(deps.urlFetches / 2) }),
    "file-id": new FairLimit({ places: 2 * (deps.processes + 1), placesPerOwner: deps.processes + 1 }),
  };
  const galleries = new GalleryCache(deps.blobs, { names: deps.faceRecognition });
  const fetchAndAnalyze = async (
    content: FileContent,
    request: FileAnalysisRequest,
    release: Release,
  ): Promise<FileFindings> => {
    const { companyId: owner, signal } = request;
    const gallery = await galleries.get(owner);
    const fetching = timeOfSites(content, request);
    const use = (bytes: AsyncIterable<Uint8Array>) => {
      const inspector = createInspector({
        ...deps.limits,
        formats: content.kind === "url" ? URL_FORMATS : UPLOAD_FORMATS,
      });
      return scratch.hold(inspecting(bytes, inspector), async (file) => {
        fetching.end();
        const facts = await inspector.end();
        const { timings, ...findings } = await pool.analyze(
          { file, gallery, ...taskFor(facts, request) },
          { owner, onBegun: release, ...(signal && { signal }) },
        );
        for (const timing of timings) request.onTimed?.(timing);
        return { facts, ...findings };
      });
    };
    return withBytes(deps, content, { use, signal }).finally(() => fetching.end());
  };
  return {
    analyze: async (content, request) => {
      const release = await limits[content.kind].acquire(request.companyId, request.signal);
      try {
        return await fetchAndAnalyze(content, request, release);
      } catch (error) {
        return explain(error, content, deps.log);
      } finally {
        release();
      }
    },
  };
}

/** Counts the site's time from now until `end`. Throws UnusableFileError if the sites have no time left. */
function timeOfSites({ kind }: FileContent, { siteTime }: FileAnalysisRequest): { end: () => void } {
  if (kind !== "url" || siteTime === undefined) return { end: () => undefined };
  if (siteTime.isOver) throw new UnusableFileError(SITES_TOO_SLOW);
  const begun = performance.now();
  let ended = false;
  return {
    end: () => {
      if (!ended) siteTime.spend(performance.now() - begun);
      ended = true;
    },
  };
}

/** The part of the request that applies to a file of that kind. */
function taskFor(facts: MediaFacts, { analyses, words }: FileAnalysisRequest): Omit<MediaTask, "file" | "gallery"> {
  const { hasPictures, hasSound } = facts;
  return {
    facts,
    analyses: hasPictures ? analyses : [],
    readsText: words && hasPictures,
    transcribes: words && hasSound,
  };
}

function explain(error: unknown, { kind, value }: FileContent, log: Logger): never {
  if (error instanceof UnreadableFileError) {
    // The target of a URL is private to its owner and is not logged.
    log.warn({ ...(kind === "file-id" && { fileId: value }), err: error }, "file could not be decoded");
    throw new UnusableFileError(error.message, { cause: error });
  }
  if (error instanceof UnacceptableFileError) {
    const what = kind === "url" ? "What the URL leads to is no file that can be analyzed" : "The file is damaged";
    throw new UnusableFileError(`${what}: ${error.message}`, { cause: error });
  }
  throw error;
}

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

const MISSING = "The file is no longer stored. Upload it again, and create a new operation with its new id.";
/** A site that is briefly unavailable is retried once, after this many milliseconds. */
const RETRY_AFTER_MS = 1000;

/**
 * Passes the bytes of a file to `use`. Throws UnusableFileError if the file is unavailable, and the storage's error if
 * the storage is.
 */
async function withBytes<T>(
  { blobs, fetcher }: FileAnalystDeps,
  content: FileContent,
  { use, signal }: { use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>; signal?: AbortSignal | undefined },
): Promise<T> {
  try {
    if (content.kind === "file-id") return await use(blobs.get(contractBlobKey(FileSchema, content.value)));
    return await fetchWithRetry(fetcher, content.value, { use, signal });
  } catch (error) {
    if (error instanceof UnreachableUrlError) throw new UnusableFileError(error.message, { cause: error });
    if (error instanceof AppError && error.kind === "not-found") throw new UnusableFileError(MISSING, { cause: error });
    throw error;
  }
}

async function fetchWithRetry<T>(
  fetcher: UrlFetcher,
  url: string,
  { use, signal }: { use: (bytes: AsyncIterable<Uint8Array>) => Promise<T>; signal?: AbortSignal | undefined },
): Promise<T> {
  const attempt = async (): Promise<T> => {
    const fetched = await fetcher.fetch(url, signal === undefined ? {} : { signal });
    try {
      return await use(fetched.bytes);
    } finally {
      fetched.close();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnreachableUrlError) || error.permanent) throw error;
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    signal?.throwIfAborted();
    return attempt();
  }
}

/** How long a gallery is cached, in milliseconds; changes take effect after it. */
const FRESH_MS = 10_000;

/** The faces and logos that companies have enrolled, as stored by the media service. */
class GalleryCache {
  private readonly known = new Map<number, { readAt: number; gallery: Promise<Gallery> }>();

  /** Without `names`, faces are not identified. */
  constructor(
    private readonly blobs: Blobs,
    private readonly options: { names: boolean },
  ) {}

  /** Reads the gallery of a company at most once every ten seconds. */
  get(companyId: number): Promise<Gallery> {
    const now = performance.now();
    for (const [id, { readAt }] of this.known) if (now - readAt > FRESH_MS) this.known.delete(id);
    const fresh = this.known.get(companyId);
    if (fresh !== undefined) return fresh.gallery;
    const gallery = this.read(companyId);
    this.known.set(companyId, { readAt: now, gallery });
    gallery.catch(() => this.known.delete(companyId));
    return gallery;
  }

  private async read(companyId: number): Promise<Gallery> {
    try {
      const parts: Uint8Array[] = [];
      for await (const part of this.blobs.get(contractBlobKey(GallerySchema, companyId))) parts.push(part);
      const { faces, marks } = fromBinary(GallerySchema, Buffer.concat(parts));
      return {
        faces: this.options.names ? faces.map(({ name, descriptor }) => ({ name, descriptor })) : [],
        marks: marks.map(({ name, png }) => ({ name, png })),
      };
    } catch (error) {
      if (error instanceof AppError && error.kind === "not-found") return { faces: [], marks: [] };
      throw error;
    }
  }
}

/** Base time of an operation, and the same for each of its contents, in milliseconds: a single URL may take 30 s. */
const BASE_MS = 30_000;
const PER_CONTENT_MS = 20_000;

/**
 * The total time for the sites of one operation. It grows with the number of contents; the server's own work and
 * waiting times do not count.
 */
export class SiteTime {
  private leftMs: number;

  /** For an operation with the given number of contents. */
  constructor(contents: number) {
    this.leftMs = BASE_MS + PER_CONTENT_MS * contents;
  }

  get isOver(): boolean {
    return this.leftMs <= 0;
  }

  spend(ms: number): void {
    this.leftMs -= ms;
  }
}
