import type { Caption, Detection, EngineSettings, Film, Frame, Showing, Watcher } from "../types.js";
import { decodeAnimation, decodeImage } from "../media/image.js";
import { LateFileError, UnreadableFileError } from "../media/probe/facts.js";
import { filmOfAnimation, openFilm, type OpenFilm } from "../media/video.js";
import { reasonOf, type VisualAnalysis, type VisualResultOf } from "../registry/analyses.js";
import type { RegisteredAnalyzer, VisualAnalyzers } from "../registry/visual-registry.js";
import { mergeOverTime, type Sighting } from "../vision/detections.js";
import { NsfwRater } from "../vision/nsfw.js";
import { readPrint } from "../vision/printed-words.js";
import type { Transcript } from "../media/speech.js";
import { CollectedPrint } from "./collected-print.js";
import type { MediaFindings, MediaTask } from "./media-pool.js";

interface FileAnalysisDeps {
  analyzers: VisualAnalyzers;
  settings: EngineSettings;
}

/**
 * Runs everything that a task requests, in the calling process. Rejects with UnreadableFileError if nothing of the file
 * can be decoded; if only its pictures or only its sound can be, the other part has errors. Rejects with LateFileError
 * if the machine is too busy.
 */
export const analyzeFile = async (task: MediaTask, deps: FileAnalysisDeps): Promise<MediaFindings> => {
  const stopwatch = new Stopwatch();
  const needsPictures = task.analyses.length > 0 || task.readsText;
  const [pictures, sound] = await Promise.allSettled([
    needsPictures ? analyzePictures(task, deps) : undefined,
    task.transcribes ? stopwatch.time("transcript", () => transcribeSound(task, deps.settings)) : undefined,
  ]);
  throwIfLate([pictures, sound]);
  throwIfUnreadable([needsPictures ? pictures : undefined, task.transcribes ? sound : undefined]);
  const findings = pictures.status === "fulfilled" ? (pictures.value ?? nothing()) : allFailed(task, pictures.reason);
  findings.timings.push(...stopwatch.timings());
  if (sound.status === "rejected") findings.errors.transcript = reasonOf(sound.reason);
  else if (sound.value !== undefined) return { ...findings, transcript: sound.value };
  return findings;
};

const transcribeSound = async ({ file, facts }: MediaTask, settings: EngineSettings): Promise<Transcript> => {
  const { transcribe } = await import("../media/speech.js");
  return transcribe(file, facts, { settings });
};

/** Throws if a part was late: a result missing for lack of time must not be reported as missing from the file. */
const throwIfLate = (attempts: readonly PromiseSettledResult<unknown>[]): void => {
  for (const attempt of attempts)
    if (attempt.status === "rejected" && attempt.reason instanceof LateFileError) throw attempt.reason;
};

/** Throws if every attempt failed, and each because of the file. */
const throwIfUnreadable = (attempts: readonly (PromiseSettledResult<unknown> | undefined)[]): void => {
  const tried = attempts.filter((attempt) => attempt !== undefined);
  const unreadable = tried.flatMap((attempt) =>
    attempt.status === "rejected" && attempt.reason instanceof UnreadableFileError ? [attempt.reason] : [],
  );
  const [first] = unreadable;
  if (first !== undefined && unreadable.length === tried.length) throw first;
};

const nothing = (): PictureFindings => ({ results: {}, errors: {}, models: {}, timings: [] });

const allFailed = ({ analyses, readsText }: MediaTask, error: unknown): PictureFindings => {
  const findings = nothing();
  for (const type of analyses) findings.errors[type] = reasonOf(error);
  if (readsText) findings.errors.reading = reasonOf(error);
  return findings;
};

/** The results for pictures. */
type PictureFindings = Omit<MediaFindings, "transcript">;

/**
 * Analyses a still, an animation or a video. Failed analyses become errors next to the other results. Rejects with
 * UnreadableFileError if no picture can be decoded, and with FfmpegMissingError.
 */
const analyzePictures = async (task: MediaTask, deps: FileAnalysisDeps): Promise<PictureFindings> => {
  const analysis = new PictureAnalysis(task, deps.settings);
  await analysis.load(deps.analyzers);
  const film = await analysis.stopwatch.time("decoding", () => openMoving(task, deps.settings));
  if (film === undefined)
    await analysis.analyzeStill(await analysis.stopwatch.time("decoding", () => decodeImage(task.file, task.facts)));
  else await analysis.analyzeFilm(film);
  return analysis.findings();
};

/** Undefined for a still, and for an animation with a single picture. */
const openMoving = async ({ file, facts }: MediaTask, settings: EngineSettings): Promise<OpenFilm | undefined> => {
  if (facts.format === "mp4") return openFilm(file, facts, { settings: settings.media ?? {} });
  if (facts.format !== "gif" || (facts.durationMs ?? 0) === 0) return undefined;
  return filmOfAnimation(await decodeAnimation(file, facts), facts.durationMs ?? 0);
};

/** The progress of one analysis of one file. */
interface AnalysisRun {
  still(frame: Frame): Promise<void>;
  see(frame: Frame, film: Film, showing: Showing): Promise<void>;
  finish(): void;
}

class PictureAnalysis {
  readonly stopwatch = new Stopwatch();
  private readonly runs: { type: VisualAnalysis; run: AnalysisRun }[] = [];
  private readonly found: PictureFindings = { results: {}, errors: {}, models: {}, timings: [] };
  private readonly print = new CollectedPrint();
  private readonly nsfw: NsfwRater | undefined;
  private moves = false;

  constructor(
    private readonly task: MediaTask,
    settings: EngineSettings,
  ) {
    const isRated = settings.media?.nsfwScore === true && task.analyses.includes("object-id");
    this.nsfw = isRated ? new NsfwRater(settings) : undefined;
  }

  async load(analyzers: VisualAnalyzers): Promise<void> {
    for (const type of this.task.analyses) {
      try {
        this.runs.push({ type, run: this.runOf(await analyzers.load(type)) });
      } catch (error) {
        this.fail(type, error);
      }
    }
  }

  /** Runs all concurrently: some of them mostly wait for separate threads. */
  async analyzeStill(frame: Frame): Promise<void> {
    const attempts = this.runs.map(({ type, run }) => this.attempt(type, () => run.still(frame)));
    await Promise.all([
      ...attempts,
      this.read(async () => this.print.addStill(await readPrint(frame))),
      this.nsfw?.see(frame),
    ]);
  }

  async analyzeFilm({ film, frames }: OpenFilm): Promise<void> {
    this.moves = true;
    for await (const { frame, ...showing } of frames) {
      const attempts = this.runs.map(({ type, run }) => this.attempt(type, () => run.see(frame, film, showing)));
      await Promise.all([
        ...attempts,
        this.read(async () => this.print.addFrame(frame, await readPrint(frame))),
        this.nsfw?.see(frame),
      ]);
    }
    for (const { type, run } of this.runs) await this.attempt(type, () => run.finish());
  }

  findings(): PictureFindings {
    const { found, task, print } = this;
    found.timings = this.stopwatch.timings();
    const nsfw = this.nsfw?.rating({ moves: this.moves });
    if (nsfw !== undefined) found.nsfw = nsfw;
    if (task.readsText && found.errors.reading === undefined) found.reading = print.reading();
    return found;
  }

  private async read(work: () => Promise<void>): Promise<void> {
    if (this.task.readsText) await this.attempt("reading", work);
  }

  /** An analysis that has failed is not continued, and has no result. */
  private async attempt(type: VisualAnalysis | "reading", work: () => Promise<void> | void): Promise<void> {
    if (this.found.errors[type] !== undefined) return;
    try {
      await this.stopwatch.time(type, async () => work());
    } catch (error) {
      this.fail(type, error);
    }
  }

  private fail(type: VisualAnalysis | "reading", error: unknown): void {
    this.found.errors[type] = reasonOf(error);
  }

  private runOf<T extends VisualAnalysis>(analyzer: RegisteredAnalyzer<T>): AnalysisRun {
    const { gallery } = this.task;
    const keep = (result: VisualResultOf[T]): void => {
      this.found.results[analyzer.type] = result;
      this.found.models[analyzer.type] = { id: analyzer.model.id, version: analyzer.model.version };
    };
    const still = async (frame: Frame) => keep(await analyzer.look(frame, { gallery }));
    const watcher = analyzer.watch?.({ gallery }) ?? mergingWatcher(analyzer, this.task);
    return { still, see: watcher.see.bind(watcher), finish: () => keep(watcher.finish()) };
  }
}

/** Watches a film by analyzing each frame and merging the results. */
const mergingWatcher = <T extends VisualAnalysis>(
  analyzer: RegisteredAnalyzer<T>,
  { gallery }: MediaTask,
): Watcher<VisualResultOf[T]> => {
  if (analyzer.type === "caption") throw new Error("this engine cannot describe what moves");
  const sightings: Sighting[] = [];
  return {
    async see(frame, _film, { untilMs }) {
      const seen: readonly (Caption | Detection)[] = await analyzer.look(frame, { gallery });
      sightings.push({ atMs: frame.atMs, untilMs, detections: seen.filter((each) => "value" in each) });
    },
    // All results except captions are detections.
    finish: () => mergeOverTime(sightings),
  };
};

type Timing = MediaFindings["timings"][number];

/** Sums up the time spent on each analysis. */
class Stopwatch {
  private readonly seconds = new Map<Timing["analysis"], number>();

  async time<T>(analysis: Timing["analysis"], work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.seconds.set(analysis, (this.seconds.get(analysis) ?? 0) + (performance.now() - begun) / 1000);
    }
  }

  /** In seconds; concurrent work counts for each analysis. */
  timings(): Timing[] {
    return [...this.seconds].map(([analysis, seconds]) => ({ analysis, seconds }));
  }
}
