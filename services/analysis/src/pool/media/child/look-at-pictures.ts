import type { VisualAnalysis, VisualResultOf } from "../../../registry/analyses.js";
import { decodeAnimation, decodeImage } from "../../../decode/image/decode-image.js";
import { filmOfAnimation, openFilm, type OpenFilm } from "../../../decode/video/index.js";
import { mergeOverTime, type Sighting } from "../../../detections/merge-over-time.js";
import { reasonOf } from "../../../registry/load-engine.js";
import type { EngineSettings } from "../../../engine-settings.js";
import type { Caption, Detection, Film, Frame, Showing, Watcher } from "../../../visual.js";
import { readWords, READING_MODEL } from "../../../vision/words/index.js";
import { ReadLines } from "../read-lines.js";
import type { MediaFindings, MediaTask } from "../media-task.js";
import { Stopwatch } from "./stopwatch.js";
import type { RegisteredAnalyzer, VisualAnalyzers } from "../../../registry/visual-registry.js";

/** The results for pictures. */
export type PictureFindings = Omit<MediaFindings, "transcript">;

export interface LookDeps {
  analyzers: VisualAnalyzers;
  settings: EngineSettings;
}

/**
 * Analyses a still, an animation or a video. Failed analyses become errors next to the other results. Rejects with
 * UnreadableFileError if no picture can be decoded, and with FfmpegMissingError.
 */
export const lookAtPictures = async (task: MediaTask, deps: LookDeps): Promise<PictureFindings> => {
  const look = new Look(task);
  await look.begin(deps.analyzers);
  const film = await look.watch.time("decoding", () => openMoving(task, deps.settings));
  if (film === undefined)
    await look.atStill(await look.watch.time("decoding", () => decodeImage(task.file, task.facts)));
  else await look.through(film);
  return look.findings();
};

/** Undefined for a still, and for an animation with a single picture. */
const openMoving = async ({ file, facts }: MediaTask, settings: EngineSettings): Promise<OpenFilm | undefined> => {
  if (facts.format === "mp4") return openFilm(file, facts, { settings: settings.media ?? {} });
  if (facts.format !== "gif" || (facts.durationMs ?? 0) === 0) return undefined;
  return filmOfAnimation(await decodeAnimation(file, facts), facts.durationMs ?? 0);
};

/** The progress of one analysis of one file. */
interface Course {
  still(frame: Frame): Promise<void>;
  see(frame: Frame, film: Film, showing: Showing): Promise<void>;
  finish(): void;
}

class Look {
  readonly watch = new Stopwatch();
  private readonly courses: { type: VisualAnalysis; course: Course }[] = [];
  private readonly found: PictureFindings = { results: {}, errors: {}, models: {}, timings: [] };
  private readonly lines = new ReadLines();

  constructor(private readonly task: MediaTask) {}

  async begin(analyzers: VisualAnalyzers): Promise<void> {
    for (const type of this.task.analyses) {
      try {
        this.courses.push({ type, course: this.courseOf(await analyzers.load(type)) });
      } catch (error) {
        this.fail(type, error);
      }
    }
  }

  /** Runs all concurrently: some of them mostly wait for threads of their own. */
  async atStill(frame: Frame): Promise<void> {
    const looks = this.courses.map(({ type, course }) => this.attempt(type, () => course.still(frame)));
    await Promise.all([...looks, this.read(frame)]);
  }

  async through({ film, frames }: OpenFilm): Promise<void> {
    for await (const { frame, ...showing } of frames) {
      const looks = this.courses.map(({ type, course }) => this.attempt(type, () => course.see(frame, film, showing)));
      await Promise.all([...looks, this.read(frame)]);
    }
    for (const { type, course } of this.courses) await this.attempt(type, () => course.finish());
  }

  findings(): PictureFindings {
    const { found, task, lines } = this;
    found.timings = this.watch.timings();
    if (task.reads && found.errors.reading === undefined) found.reading = { text: lines.text(), model: READING_MODEL };
    return found;
  }

  private async read(frame: Frame): Promise<void> {
    if (!this.task.reads) return;
    await this.attempt("reading", async () => this.lines.add(await readWords(frame)));
  }

  /** An analysis that has failed is not continued, and has no result. */
  private async attempt(type: VisualAnalysis | "reading", work: () => Promise<void> | void): Promise<void> {
    if (this.found.errors[type] !== undefined) return;
    try {
      await this.watch.time(type, async () => work());
    } catch (error) {
      this.fail(type, error);
    }
  }

  private fail(type: VisualAnalysis | "reading", error: unknown): void {
    this.found.errors[type] = reasonOf(error);
  }

  private courseOf<T extends VisualAnalysis>(analyzer: RegisteredAnalyzer<T>): Course {
    const { gallery } = this.task;
    const keep = (result: VisualResultOf[T]): void => {
      this.found.results[analyzer.type] = result;
      this.found.models[analyzer.type] = { id: analyzer.model.id, version: analyzer.model.version };
    };
    const still = async (frame: Frame) => keep(await analyzer.look(frame, { gallery }));
    const watcher = analyzer.watch?.({ gallery }) ?? merging(analyzer, this.task);
    return { still, see: watcher.see.bind(watcher), finish: () => keep(watcher.finish()) };
  }
}

/** Watches a film by analysing each frame and merging the results. */
const merging = <T extends VisualAnalysis>(
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
