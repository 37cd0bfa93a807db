import { isSmiling } from "../../vision/activity-rules.js";
import { distance, type Point } from "../../vision/postures.js";
import { center, type Extent, extentOf, type Scene, type SeenFace } from "../../vision/scene.js";

/** What can be said about a person without guessing. */
export type PersonKind = "person" | "man" | "woman";

/** The people of a picture. */
export interface People {
  /** The most probable number; the smallest people of a crowd are not detected. */
  count: number;
  /** Whether the number is certain. */
  exact: boolean;
  /** One for each person if all faces were seen. */
  kinds: readonly PersonKind[];
  /** Whether everyone smiles. */
  smiling: boolean;
}

/**
 * Counts the people by bodies and faces, and describes them if they are few and clearly visible; undefined if there is
 * nobody.
 */
export const peopleIn = (scene: Scene): People | undefined => {
  const bodies = bodiesIn(scene);
  const faces = scene.faces.filter(({ prob }) => prob >= FACE_PROB_MIN);
  // Next to one certain person, less certain ones are almost always people, too.
  if (faces.length === 0 && !bodies.some(({ prob }) => prob >= PERSON_PROB_SURE)) return undefined;
  const { owners, apart, doubtful } = facesOn(bodies, faces, scene.aspect);
  const least = apart + bodies.filter((body) => owners.has(body) || isCertain(body)).length;
  const most = apart + bodies.length + doubtful;
  // Where people are small, others are smaller still.
  const exact = least === most && (most === 1 || bodies.every((body) => owners.has(body) || !isSmall(body)));
  const count = least >= MANY_MIN ? most : Math.max(1, Math.floor((least + most) / 2));
  const told = exact && count <= TOLD_MAX && faces.length === count;
  return {
    count,
    exact,
    kinds: told
      ? faces.map((face) => kindOf(face, scene.height))
      : Array.from({ length: Math.min(count, TOLD_MAX + 1) }, () => "person" as const),
    smiling: told && faces.every(isSmiling),
  };
};

interface Seen {
  prob: number;
  extent: Extent;
}

/** Excludes hands and distant dolls that were taken for people: no joints are found in them. */
const bodiesIn = ({ objects, poses, faces, aspect }: Scene): Seen[] =>
  objects
    .filter(({ label, prob }) => label === "person" && prob >= PERSON_PROB_MIN)
    .filter(({ box }) => {
      const pose = poses.find((one) => one.box.left === box.left && one.box.top === box.top);
      const joints = pose?.keypoints.filter(({ score }) => score >= JOINT_SCORE_MIN).length ?? JOINTS_MIN;
      const extent = extentOf(box, aspect);
      return joints >= JOINTS_MIN || faces.some((face) => isIn(center(extentOf(face.box, aspect)), extent));
    })
    .map(({ prob, box }) => ({ prob, extent: extentOf(box, aspect) }));

const isIn = ({ x, y }: Point, { left, right, top, bottom }: Extent): boolean =>
  x > left && x < right && y > top && y < bottom;

/** Distant people usually stand among others who are not visible. */
const isCertain = ({ prob, extent }: Seen): boolean => prob >= PERSON_PROB_SURE && extent.height >= HEIGHT_MIN;

const isSmall = ({ extent }: Seen): boolean => extent.height < SMALL_HEIGHT;

interface Heads {
  /** Bodies with a face; each face belongs to the nearest body. */
  owners: ReadonlySet<Seen>;
  /** Faces that belong to no body. */
  apart: number;
  /** Faces on bodies that already have one; they may belong to somebody behind. */
  doubtful: number;
}

const facesOn = (bodies: readonly Seen[], faces: readonly SeenFace[], aspect: number): Heads => {
  const heads = faces.map(({ box }) => extentOf(box, aspect));
  const pairs = heads
    .flatMap((head) => bodies.map((body) => ({ head, body, far: farness(head, body.extent) })))
    .filter(({ head, body }) => isHeadOf(center(head), head.height, body.extent))
    .sort((a, b) => a.far - b.far);
  const owners = new Set<Seen>();
  const owned = new Set<Extent>();
  for (const { head, body } of pairs) {
    if (owners.has(body) || owned.has(head)) continue;
    owners.add(body);
    owned.add(head);
  }
  const free = heads.filter((head) => !owned.has(head));
  const apart = free.filter((head) => !bodies.some(({ extent }) => isIn(center(head), extent))).length;
  return { owners, apart, doubtful: free.length - apart };
};

/** Distance of a face from the expected position of the body's head. */
const farness = (head: Extent, body: Extent): number =>
  distance(center(head), { x: (body.left + body.right) / 2, y: body.top + head.height / 2 });

/** The box of a body may be too narrow, or end at the neck. */
const isHeadOf = ({ x, y }: Point, height: number, body: Extent): boolean =>
  x > body.left - 0.3 * body.width &&
  x < body.right + 0.3 * body.width &&
  y > body.top - 1.5 * height &&
  y < body.bottom;

/**
 * Age estimates are off by seven years on average, so only people well past childhood are called adults; for small
 * faces the estimates are meaningless.
 */
const kindOf = ({ gender, genderProb, age, box }: SeenFace, height: number): PersonKind => {
  if (genderProb < GENDER_PROB_MIN || age < ADULT_AGE_MIN || box.height * height < FACE_PIXELS_MIN) return "person";
  return gender === "male" ? "man" : "woman";
};

const PERSON_PROB_SURE = 0.75;
const PERSON_PROB_MIN = 0.5;
/** Fraction of the frame's height. */
const HEIGHT_MIN = 0.08;
const SMALL_HEIGHT = 0.25;
const JOINT_SCORE_MIN = 0.3;
const JOINTS_MIN = 4;
const FACE_PROB_MIN = 0.8;
const GENDER_PROB_MIN = 0.95;
const ADULT_AGE_MIN = 23;
const FACE_PIXELS_MIN = 48;
/** From this number of certain people, the uncertain ones count as people, too. */
const MANY_MIN = 5;
/** Of larger groups only the number is given. */
const TOLD_MAX = 3;
