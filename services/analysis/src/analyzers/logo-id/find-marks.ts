import type { Box, Frame, NamedMark } from "../../types.js";
import { type Instance, rounded } from "../../vision/detections.js";
import { type Extent, type MarkTemplate, templateOf, VERIFY_SIDE } from "./mark-template.js";
import { proposeWindows, similarityAt, type Window } from "./mark-windows.js";

/** At most this many marks are searched for: each costs about 50 ms per picture. */
export const MARKS_MAX = 50;
/**
 * Similarity from which a mark counts as seen; photos without it reached 0.85 when the threshold was chosen
 * (services/analysis/src/vision/NOTES.md).
 */
const SIMILARITY_MIN = 0.87;

/**
 * The marks of a gallery that appear in the frame, upright or nearly so, from about a twelfth of its longer side; each
 * once, where it is most similar.
 */
export const findMarks = async (frame: Frame, marks: readonly NamedMark[]): Promise<Instance[]> => {
  if (marks.length === 0) return [];
  const seen: (Sighting & { template: MarkTemplate })[] = [];
  for (const mark of marks.slice(0, MARKS_MAX)) {
    const template = await rememberedTemplate(mark);
    if (template === undefined) continue;
    const sighting = bestSighting(frame, template);
    if (sighting.similarity >= neededFor(template)) seen.push({ ...sighting, template });
    // Yield between marks: this thread also feeds the networks.
    await new Promise<void>((resume) => setImmediate(resume));
  }
  return seen
    .filter((one) => !seen.some((other) => other.similarity > one.similarity && isSamePlace(other.window, one.window)))
    .map(({ window, similarity, template: { name, extent } }) => ({
      value: name,
      prob: probOf(similarity),
      box: boxOf(frame, window, extent),
    }));
};

/** The upright box around a mark, of whose square of `VERIFY_SIDE` pixels the window shows this extent. */
const boxOf = (frame: Frame, { x, y, side, angle }: Window, { left, right, top, bottom }: Extent): Box => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corners = [left, right + 1].flatMap((column) =>
    [top, bottom + 1].map((row) => {
      const [across, down] = [(column / VERIFY_SIDE - 0.5) * side, (row / VERIFY_SIDE - 0.5) * side];
      return { x: (x + across * cos - down * sin) / frame.width, y: (y + across * sin + down * cos) / frame.height };
    }),
  );
  const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
  const [from, above] = [Math.min(...xs), Math.min(...ys)];
  return { left: from, top: above, width: Math.max(...xs) - from, height: Math.max(...ys) - above };
};

/** A plain shape is not enough: some of what distinguishes the mark from its plain outline must be visible, too. */
const BEYOND_OUTLINE = 1 / 3;

const neededFor = ({ plainness }: MarkTemplate): number =>
  Math.max(SIMILARITY_MIN, plainness + (1 - plainness) * BEYOND_OUTLINE);

/** The position at which a mark is most similar to the frame, and the similarity. */
interface Sighting {
  window: Window;
  similarity: number;
}

/** Marks with similar outlines match at each other's positions; the more similar one wins. */
const isSamePlace = (a: Window, b: Window): boolean => Math.hypot(a.x - b.x, a.y - b.y) < Math.max(a.side, b.side) / 2;

/** The probability of a similarity; there were no false sightings to fit a curve to (services/analysis/src/vision/NOTES.md). */
const probOf = (similarity: number): number => rounded(Math.min(0.99, similarity));

/** Templates by their PNG, because a gallery is used for many pictures. */
const templates = new WeakMap<Uint8Array, Promise<MarkTemplate | undefined>>();

const rememberedTemplate = (mark: NamedMark): Promise<MarkTemplate | undefined> => {
  const known = templates.get(mark.png) ?? templateOf(mark);
  templates.set(mark.png, known);
  return known;
};

/** The best position in the frame: a coarse search, then a local search from each candidate. */
const bestSighting = (frame: Frame, template: MarkTemplate): Sighting => {
  let best: Sighting = { window: { x: 0, y: 0, side: 0, angle: 0 }, similarity: 0 };
  for (const proposal of proposeWindows(frame, template.search)) {
    const sighting = climb(frame, proposal, template);
    if (sighting.similarity > best.similarity) best = sighting;
  }
  return best;
};

/** Step sizes of the local search: shifts and sizes as fractions of the window's side, turns in radians. */
const STEPS = [0.08, 0.04, 0.02] as const;
const TURN_OF_STEP = 1.2;

const climb = (frame: Frame, start: Window, { verify }: MarkTemplate): Sighting => {
  let window = start;
  let best = similarityAt(frame, window, verify, VERIFY_SIDE);
  for (const step of STEPS) {
    for (let improved = true, rounds = 0; improved && rounds < 4; rounds++) {
      improved = false;
      for (const next of neighbors(window, step)) {
        const similarity = similarityAt(frame, next, verify, VERIFY_SIDE);
        if (similarity <= best) continue;
        [best, window, improved] = [similarity, next, true];
      }
    }
    // Candidates this far below the threshold never reach it.
    if (best < HOPELESS) break;
  }
  return { window, similarity: best };
};

const HOPELESS = 0.5;

const neighbors = (window: Window, step: number): Window[] => [
  { ...window, x: window.x + step * window.side },
  { ...window, x: window.x - step * window.side },
  { ...window, y: window.y + step * window.side },
  { ...window, y: window.y - step * window.side },
  { ...window, side: window.side * (1 + step) },
  { ...window, side: window.side * (1 - step) },
  { ...window, angle: window.angle + step * TURN_OF_STEP },
  { ...window, angle: window.angle - step * TURN_OF_STEP },
];
