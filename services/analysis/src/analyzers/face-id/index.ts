import { detectFaces, FACE_MODEL, loadFaceNetworks, locateFaces } from "../../vision/faces/index.js";
import type { Detection, Frame, NamedFace, VisualAnalyzer } from "../../visual.js";

/** The value of a face that nobody has named. */
const FACE = "face";

/**
 * Faces of one person are nearer than this, those of two are not: of 52 pairs of different people none was below 0.5 and one
 * below 0.6, three of one man were at 0.46 to 0.57.
 */
const DISTANCE_MAX = 0.55;
/** How fast the probability of a name falls with the distance; at DISTANCE_MAX it is a half. */
const DISTANCE_SPREAD = 0.04;

/**
 * Faces of people: `face`, or the name of an enrolled person whom one resembles enough. Each value once, with the
 * probability of the likeliest such face.
 */
export const createFaceId = async (): Promise<VisualAnalyzer<"face-id">> => {
  await loadFaceNetworks();
  return {
    type: "face-id",
    engine: "builtin",
    model: FACE_MODEL,
    look: async (frame, { gallery }) => {
      const found = gallery.faces.length === 0 ? await unnamed(frame) : await named(frame, gallery.faces);
      return merge(found);
    },
  };
};

const unnamed = async (frame: Frame): Promise<Detection[]> =>
  (await locateFaces(frame)).map(({ prob }) => ({ value: FACE, prob }));

const named = async (frame: Frame, people: readonly NamedFace[]): Promise<Detection[]> => {
  const found: Detection[] = [];
  for (const face of await detectFaces(frame)) {
    const { name, distance } = nearest(await face.descriptor(), people);
    const sameness = 1 / (1 + Math.exp((distance - DISTANCE_MAX) / DISTANCE_SPREAD));
    found.push(
      distance <= DISTANCE_MAX ? { value: name, prob: face.prob * sameness } : { value: FACE, prob: face.prob },
    );
  }
  return found;
};

const nearest = (descriptor: readonly number[], people: readonly NamedFace[]): { name: string; distance: number } =>
  people
    .map(({ name, descriptor: known }) => ({ name, distance: distanceOf(descriptor, known) }))
    .reduce((best, other) => (other.distance < best.distance ? other : best));

const distanceOf = (a: readonly number[], b: readonly number[]): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0));

const merge = (found: readonly Detection[]): Detection[] => {
  const probs = new Map<string, number>();
  for (const { value, prob } of found) probs.set(value, Math.max(prob, probs.get(value) ?? 0));
  return Array.from(probs, ([value, prob]) => ({ value, prob: Number(prob.toFixed(4)) })).sort(
    (a, b) => b.prob - a.prob,
  );
};
