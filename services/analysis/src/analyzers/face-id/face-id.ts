import { detectFaces, FACE_MODEL, loadFaceNetworks, locateFaces } from "../../vision/faces.js";
import { distinctDetections, type Instance } from "../../vision/detections.js";
import type { Detection, Frame, NamedFace, VisualAnalyzer } from "../../types.js";

/** The value of a face that belongs to no enrolled person. */
const FACE = "face";

/**
 * Maximum distance between faces of one person. Of 1,661 pairs of different people none was nearer (the nearest were at
 * .524), of 129 pairs of one person 95% were; on other photos none of 504 and 89%.
 */
const DISTANCE_MAX = 0.5;
/**
 * Logistic regression of "it is the same person" on the distance, fitted to those pairs with both kinds weighted
 * equally; its spread (.0144) is doubled because the pairs are few and their pictures better than average.
 */
const SAMENESS = { middle: 0.593, spread: 0.029 };

/**
 * Faces of people: `face`, or the name of an enrolled person whom the face resembles enough. Each value once, with the
 * probability of the likeliest such face, and the places of all of them.
 */
export const createFaceId = async (): Promise<VisualAnalyzer<"face-id", Detection[]>> => {
  await loadFaceNetworks();
  return {
    type: "face-id",
    engine: "builtin",
    model: FACE_MODEL,
    look: async (frame, { gallery }) => {
      const found = gallery.faces.length === 0 ? await unnamed(frame) : await named(frame, gallery.faces);
      return distinctDetections(found);
    },
  };
};

const unnamed = async (frame: Frame): Promise<Instance[]> =>
  (await locateFaces(frame)).map(({ prob, box }) => ({ value: FACE, prob, box }));

const named = async (frame: Frame, people: readonly NamedFace[]): Promise<Instance[]> => {
  const found: Instance[] = [];
  for (const face of await detectFaces(frame)) {
    const { prob, box } = face;
    const { name, distance } = nearest(await face.descriptor(), people);
    const sameness = 1 / (1 + Math.exp((distance - SAMENESS.middle) / SAMENESS.spread));
    found.push(distance <= DISTANCE_MAX ? { value: name, prob: prob * sameness, box } : { value: FACE, prob, box });
  }
  return found;
};

const nearest = (descriptor: readonly number[], people: readonly NamedFace[]): { name: string; distance: number } =>
  people
    .map(({ name, descriptor: known }) => ({ name, distance: distanceOf(descriptor, known) }))
    .reduce((best, other) => (other.distance < best.distance ? other : best));

const distanceOf = (a: readonly number[], b: readonly number[]): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? 0)) ** 2, 0));
