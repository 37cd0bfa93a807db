import { type Candidates, createZeroShotModel } from "../../engines/hf-vision/zero-shot.js";
import type { Detection, EngineSettings, Film, Frame, VisualAnalyzer, Watcher } from "../../types.js";
import { ACTIVITIES } from "../../vision/activities.js";
import { calibrated, recognizeActivities } from "../../vision/activity-rules.js";
import { mergeOverTime, placesOf, rounded, type SeenSpan, toMoments } from "../../vision/detections.js";
import { followPerson } from "../../vision/poses.js";
import { bodyOf } from "../../vision/postures.js";
import { loadScene, type Scene, sceneOf, sceneOfFilm } from "../../vision/scene.js";
import { isStepping, type Movement, movementsIn, type Track } from "./movements.js";

/** The version changes whenever results may change. */
const MODEL = { id: "activity-id-rules", version: "3" } as const;

/**
 * Recognizes activities by rules about joints, objects and faces, and in videos also about movements. Rejects if a
 * network cannot be loaded.
 */
export const createActivityId = async (): Promise<VisualAnalyzer<"activity-id", Detection[]>> => {
  await loadScene();
  return { type: "activity-id", engine: "builtin", model: MODEL, look, watch };
};

const look = async (frame: Frame): Promise<Detection[]> => recognizeActivities(await sceneOf(frame));

const watch = (): Watcher<Detection[]> => {
  const seen: { atMs: number; untilMs: number; scene: Scene }[] = [];
  const bursts = collectBursts();
  return {
    see: async (frame, film, { untilMs }) => {
      const scene = await sceneOfFilm(frame);
      seen.push({ atMs: frame.atMs, untilMs, scene });
      await bursts.at(frame, film, scene);
    },
    finish: () => {
      const tracks = bursts.tracks();
      const sightings = seen.map(({ atMs, untilMs, scene }) => {
        const detections = recognizeActivities(scene, (body) => isStepping(body, atMs, tracks));
        return { atMs, untilMs, detections };
      });
      return [...mergeOverTime(sightings), ...detectionsOf(tracks.flatMap(movementsIn))].sort(
        (a, b) => b.prob - a.prob || (a.value < b.value ? -1 : 1),
      );
    },
  };
};

/** Each movement once, with the highest probability at which it was seen. */
const detectionsOf = (movements: readonly Movement[]): Detection[] =>
  [...new Set(movements.map(({ activity }) => activity))].map((activity) => {
    const seen = movements.filter((movement) => movement.activity === activity).sort((a, b) => a.fromMs - b.fromMs);
    const probOf = ({ strength }: { strength: number }): number => calibrated(activity, strength);
    return {
      value: activity,
      prob: rounded(Math.max(...seen.map(probOf))),
      moments: toMoments(seen.map((movement) => spanOf(movement, probOf(movement)))),
    };
  });

const spanOf = ({ activity, fromMs, toMs, box }: Movement, prob: number): SeenSpan => {
  const { count, boxes } = placesOf([{ value: activity, prob, box }]);
  const isPlaced = count !== undefined && boxes !== undefined;
  return { fromMs, toMs, ...(isPlaced && { view: { atMs: fromMs, prob, count, boxes } }) };
};

/** Collects how people move in a video, from bursts of frames where people are. */
interface BurstCollector {
  /** Records a burst starting at this frame if it shows people and no burst was recorded shortly before. */
  at(frame: Frame, film: Film, scene: Scene): Promise<void>;
  tracks(): readonly Track[];
}

const collectBursts = (): BurstCollector => {
  const tracks: Track[] = [];
  let nextMs = 0;
  let left = BURSTS_MAX;
  return {
    at: async (frame, film, { poses, aspect }) => {
      const people = poses.slice(0, PEOPLE_MAX);
      if (people.length === 0 || left === 0 || frame.atMs < nextMs) return;
      left -= 1;
      nextMs = frame.atMs + Math.max(SECONDS * 1000, film.durationMs / BURSTS_MAX);
      const frames = unlikeLast(await film.burst(frame.atMs, { seconds: SECONDS, perSecond: PER_SECOND }));
      for (const person of people) {
        const followed = await followPerson(frames, person);
        addTrack(
          tracks,
          followed.map(({ atMs, pose }) => ({ atMs, body: bodyOf(pose, aspect) })),
        );
      }
    },
    tracks: () => tracks,
  };
};

/** Drops repeated frames, which videos of low frame rates contain: they say nothing about the movement in between. */
const unlikeLast = (frames: readonly Frame[]): Frame[] =>
  frames.filter(({ rgb }, i) => i === 0 || Buffer.compare(rgb, frames[i - 1]!.rgb) !== 0);

/** Continues the track that ends where the new one begins, so that an exercise may be longer than a burst. */
const addTrack = (tracks: Track[], track: Track): void => {
  const [first] = track;
  if (!first) return;
  const index = tracks.findIndex((earlier) => {
    const last = earlier.at(-1)!;
    const [one, other] = [last.body.torso, first.body.torso];
    return (
      first.atMs >= last.atMs &&
      first.atMs - last.atMs < GAP_MAX_MS &&
      one !== undefined &&
      other !== undefined &&
      Math.hypot(one.hips.x - other.hips.x, one.hips.y - other.hips.y) < one.length
    );
  });
  if (index < 0) tracks.push(track);
  else tracks[index] = [...tracks[index]!, ...track];
};

/** Bounds the time that a video takes: 36 seconds of it are followed. */
const BURSTS_MAX = 6;
const SECONDS = 6;
/** A waving hand swings up to three times a second. */
const PER_SECOND = 6;
const PEOPLE_MAX = 2;
const GAP_MAX_MS = 1_500;

/**
 * Every activity of the closed list except those that only movement shows: a model that sees one picture would guess
 * them.
 */
const CANDIDATES: Candidates = {
  sentences: new Map(
    ACTIVITIES.filter(({ by }) => by !== "movement").map(({ label }) => [label, `a photo of a person ${label}`]),
  ),
  otherwise: [
    "a photo of a person",
    "a photo of people",
    "a photo of an animal",
    "a photo of an object",
    "a photo of a place with nobody in it",
    "a photo of food",
    "a drawing",
    "a screenshot with text",
  ],
};

/** Recognizes activities with a model that compares pictures with sentences. Throws ModelError. */
export const createActivityModel = (settings: EngineSettings): Promise<VisualAnalyzer<"activity-id", Detection[]>> =>
  createZeroShotModel("activity-id", settings, CANDIDATES);
