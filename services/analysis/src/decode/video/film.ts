import type { MediaFacts } from "../../formats/media-facts.js";
import type { Film, Frame } from "../../visual.js";
import { type FfmpegSettings, findFfmpeg } from "./ffmpeg.js";
import { CHANGE_KEY, type ReadFrame, readFrames } from "./film-frames.js";
import { type OpenFilm, type Taken, toShots } from "./shots.js";

export interface FilmOptions {
  settings: FfmpegSettings;
  /** Ends all work for this film. */
  signal?: AbortSignal | undefined;
}

/** Longer side of frames in pixels. */
const SIDE = 960;
/** Longer side of the frames of a burst in pixels. */
export const BURST_SIDE = 320;
const BURST_FRAMES_MAX = 300;

/** Interval of regular frames in milliseconds; longer if the video would otherwise have too many. */
const STEP_MS = 2000;
const STEPS_MAX = 450;
/** Additional frames at scene changes: a maximum for the first minute, and one for the whole video. */
const CHANGES_AT_ONCE = 50;
const CHANGES_MAX = 150;
/** Maximum number of analysed frames, whatever the duration. */
export const FRAMES_MAX = STEPS_MAX + CHANGES_MAX;
/** Difference (0 to 1) from the frame before that begins a scene: ffmpeg's measure and recommended threshold. */
const CHANGE = 0.3;
/**
 * Frames closer together than this, in seconds, are skipped when scene changes are detected: scaling them is the main
 * cost.
 */
const THINNED_S = 0.11;

/**
 * Opens a video: frames with a longer side of at most 960 pixels, upright, at scene changes and at least every two
 * seconds, with their true times; about 600 at most. The decodable part of a damaged video is used; if nothing can be
 * decoded, reading the frames throws UnreadableFileError. Throws FfmpegMissingError.
 */
export async function openFilm(file: string, facts: MediaFacts, { settings, signal }: FilmOptions): Promise<OpenFilm> {
  const ffmpeg = await findFfmpeg(settings);
  const durationMs = facts.durationMs ?? 0;
  const stepMs = Math.max(STEP_MS, Math.ceil(durationMs / STEPS_MAX));
  const step = stepMs / 1000;
  const thin = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${THINNED_S})'`;
  // On a fixed time grid, so that a scene change does not delay the next regular frame.
  const regular = `gt(floor(t/${step}),floor(prev_selected_t/${step}))`;
  const chosen = `select='isnan(prev_selected_t)+${regular}+gt(scene,${CHANGE})'`;
  const filter = `${thin},SIZE,format=rgb24,${chosen},metadata=mode=print:key=${CHANGE_KEY}`;
  const { frames, ended } = readFrames(ffmpeg, { file, facts, side: SIDE, filter, signal });
  const endOf = async ({ atMs }: Frame): Promise<number> => {
    const { clean } = await ended;
    const soon = atMs + stepMs;
    // The last frame of an intact video is shown to its end, however few frames it has.
    return clean || soon > durationMs ? Math.max(durationMs, atMs) : soon;
  };
  const film: Film = {
    durationMs,
    burst: async (fromMs, { seconds, perSecond }) => {
      const rate = Math.min(perSecond, BURST_FRAMES_MAX / seconds);
      const part = { fromMs, lengthMs: seconds * 1000 };
      const burst = readFrames(ffmpeg, { file, facts, side: BURST_SIDE, filter: `fps=${rate},SIZE`, part, signal });
      return await collect(burst.frames, BURST_FRAMES_MAX);
    },
  };
  return { film, frames: toShots(bounded(frames, { stepMs, durationMs }), endOf) };
}

/** Drops frames at scene changes if there are too many, and ends a video that is longer than declared. */
async function* bounded(
  frames: AsyncIterable<ReadFrame>,
  { stepMs, durationMs }: { stepMs: number; durationMs: number },
): AsyncGenerator<Taken> {
  let beforeMs = -1;
  let steps = 0;
  let changes = 0;
  let afterCut = false;
  for await (const { frame, change } of frames) {
    afterCut ||= change > CHANGE;
    const isRegular = Math.floor(frame.atMs / stepMs) > Math.floor(beforeMs / stepMs);
    beforeMs = frame.atMs;
    if (isRegular && ++steps > STEPS_MAX + 1) return;
    const share = Math.min(1, frame.atMs / Math.max(1, durationMs));
    const allowed = CHANGES_AT_ONCE + (CHANGES_MAX - CHANGES_AT_ONCE) * share;
    if (!isRegular && changes >= allowed) continue;
    if (!isRegular) changes++;
    yield { frame, afterCut };
    afterCut = false;
  }
}

async function collect(frames: AsyncIterable<ReadFrame>, most: number): Promise<Frame[]> {
  const collected: Frame[] = [];
  for await (const { frame } of frames) {
    if (collected.length === most) break;
    collected.push(frame);
  }
  return collected;
}
