import { calibrated, recognizeActivities } from "../../vision/activity-rules.js";
import { mergeOverTime, toMoment } from "../../vision/detections.js";
import { loadScene, type Scene, sceneOf, sceneOfFilm } from "../../vision/scene.js";
import type { Detection, Frame, VisualAnalyzer, Watcher } from "../../types.js";
import { collectBursts, isStepping, type Movement, movementsIn } from "./movement/index.js";

export { ACTIVITIES, type Activity } from "../../vision/activities.js";

/** The version changes whenever results may change. */
const MODEL = { id: "activity-id-rules", version: "2" } as const;

/**
 * Recognises activities by rules about joints, objects and faces, and in videos also about movements. Rejects if a
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
    const prob = calibrated(activity, Math.max(...seen.map(({ strength }) => strength)));
    return {
      value: activity,
      prob: Math.round(prob * 10_000) / 10_000,
      moments: seen.map(toMoment),
    };
  });
