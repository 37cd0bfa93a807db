import type { Scene, SeenFace } from "../activity-id/scene.js";
import { isSmiling } from "../activity-id/smile.js";
import type { Point } from "../activity-id/body.js";
import { centre, extentOf, type Extent } from "../activity-id/extent.js";

/** What can be said of a person without guessing. */
export type PersonKind = "person" | "man" | "woman";

/** The people of a picture. */
export interface People {
  /** As many as were seen; the smallest of a crowd are not. */
  count: number;
  /** One for each, when all their faces were seen. */
  kinds: readonly PersonKind[];
  /** Whether everyone smiles. */
  smiling: boolean;
}

/** Counts the people, by bodies or faces, and says who they are when few and seen well; undefined when there is nobody. */
export const peopleIn = ({ objects, faces, aspect }: Scene): People | undefined => {
  const persons = objects.filter(({ label, prob }) => label === "person" && prob >= PERSON_PROB_MIN);
  const sure = faces.filter(({ prob }) => prob >= FACE_PROB_MIN);
  // Where one person is certain, less certain ones are hardly ever something else.
  if (sure.length === 0 && !persons.some(({ prob }) => prob >= PERSON_PROB_SURE)) return undefined;
  const bodies = persons.map(({ box }) => extentOf(box, aspect));
  const count = bodies.length + withoutBody(sure, bodies, aspect);
  const told = count <= TOLD_MAX && sure.length === count;
  return {
    count,
    kinds: told ? sure.map(kindOf) : Array.from({ length: Math.min(count, TOLD_MAX + 1) }, () => "person" as const),
    smiling: told && sure.every(isSmiling),
  };
};

/** How many of the faces belong to no body. */
const withoutBody = (faces: readonly SeenFace[], bodies: readonly Extent[], aspect: number): number => {
  const free = [...bodies];
  let count = 0;
  for (const { box } of faces) {
    const face = extentOf(box, aspect);
    const owner = free.findIndex((body) => isHeadOf(centre(face), face.height, body));
    if (owner >= 0) free.splice(owner, 1);
    else count++;
  }
  return count;
};

/** The box of a body may be too narrow, or end at the neck. */
const isHeadOf = ({ x, y }: Point, height: number, body: Extent): boolean =>
  x > body.left - 0.3 * body.width &&
  x < body.right + 0.3 * body.width &&
  y > body.top - 1.5 * height &&
  y < body.bottom;

/** Estimates of age are wrong by seven years on average, so that only those well past childhood are called adults. */
const kindOf = ({ gender, genderProb, age }: SeenFace): PersonKind => {
  if (genderProb < GENDER_PROB_MIN || age < ADULT_AGE_MIN) return "person";
  return gender === "male" ? "man" : "woman";
};

const PERSON_PROB_SURE = 0.65;
const PERSON_PROB_MIN = 0.55;
const FACE_PROB_MIN = 0.8;
const GENDER_PROB_MIN = 0.95;
const ADULT_AGE_MIN = 23;
/** Of more people nothing is told but their number. */
const TOLD_MAX = 3;
