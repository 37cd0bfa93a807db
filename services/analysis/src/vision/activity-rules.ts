import type { Detection } from "../types.js";
import { type Activity, type Evidence, given } from "./activities.js";
import { distinctDetections, rounded } from "./detections.js";
import { FOOD_LABELS, VESSEL_LABELS } from "./objects.js";
import { SHOWN_ACTIVITIES, shownActivities } from "./activity-scenes.js";
import { type Body, bodyOf, distance, type Point, postures, type Seat } from "./postures.js";
import {
  center,
  type Extent,
  extentOf,
  gap,
  type Scene,
  type SeenFace,
  sideOverlap,
  type Thing,
  thingsOf,
} from "./scene.js";

/**
 * The activities of the people in a scene, by rules about joints, things and faces; the most probable first, each
 * activity once. `isStepping` returns whether a person's feet are known to move.
 */
export const recognizeActivities = (scene: Scene, isStepping: (body: Body) => boolean = () => false): Detection[] => {
  const things = thingsOf(scene);
  const perPerson = scene.poses.map((pose) => {
    const body = bodyOf(pose, scene.aspect);
    const found = reconciled([...postures(body, seatOf(body, things)), ...relations(body, things, scene)]);
    const shown = isStepping(body) ? found.filter(({ activity }) => activity !== "standing") : found;
    return shown.map((evidence) => ({ ...evidence, box: pose.box }));
  });
  const shown = shownActivities(scene);
  const perFace = scene.faces.flatMap((face) => [...smiling(face), ...atMouth(face, things, scene.aspect)]);
  return strongest([...narrowed([...perPerson.flat(), ...shown]), ...kites(scene), ...perFace]);
};

/** Removes what is said more precisely: a game of its name is no game with just a ball, a unicycle no bicycle. */
const narrowed = (evidence: readonly Evidence[]): Evidence[] => {
  const found = new Set(evidence.map(({ activity }) => activity));
  const wider = (activity: Activity): boolean => (NARROWER[activity] ?? []).some((other) => found.has(other));
  return evidence.filter(({ activity }) => !wider(activity));
};

/** What is said more precisely by others; riders and gymnasts do not just stand. */
const NARROWER: Readonly<Partial<Record<Activity, readonly Activity[]>>> = {
  "playing with a ball": [
    "playing basketball",
    "playing football",
    "playing volleyball",
    "playing rugby",
    "playing baseball",
    "playing tennis",
  ],
  "riding a bicycle": ["riding a unicycle", "riding a motorcycle"],
  standing: ["riding a unicycle", "riding a snowmobile", "doing gymnastics"],
  surfing: ["paddling"],
  skiing: ["snowboarding"],
};

/**
 * Removes contradictions for one person: a rider neither sits nor squats, and somebody on a board or in a game neither
 * stretches nor lunges.
 */
const reconciled = (evidence: readonly Evidence[]): Evidence[] => {
  const does = evidence.some(({ activity }) => /^(riding|playing|skat|surf|ski|snow)/.test(activity));
  return does ? evidence.filter(({ activity }) => !OVERRULED.has(activity)) : [...evidence];
};

const OVERRULED: ReadonlySet<Activity> = new Set([
  "standing",
  "sitting",
  "squatting",
  "lunging",
  "bending over",
  "stretching arms out",
  "raising a hand",
  "raising both arms",
]);

const smiling = (face: SeenFace): Evidence[] =>
  given("smiling", isSmiling(face), face.prob, face.expressionProb).map((evidence) => ({ ...evidence, box: face.box }));

/** Several people doing the same do not increase the probability: an error about one applies to the others, too. */
const strongest = (evidence: readonly Evidence[]): Detection[] =>
  distinctDetections(
    evidence
      .map(({ activity, strength, box }) => ({ value: activity, prob: calibrated(activity, strength), box }))
      .filter(({ prob }) => rounded(prob) >= PROB_MIN),
  );

/** Less probable activities are not reported. */
const PROB_MIN = 0.3;

/**
 * The probability of an activity with evidence of this strength, 0 to 1. Parts that fit together support each other, so
 * a weak part counts for less than it would alone.
 */
export const calibrated = (activity: Activity, strength: number): number =>
  (RELIABILITY[activity] ?? (SHOWN_ACTIVITIES.has(activity) ? RELIABILITY_OF_SHOWN : RELIABILITY_OF_OTHERS)) *
  strength ** WEIGHT;

const WEIGHT = 0.4;

/** The share of correct findings of a rule, (right + 1) / (found + 2), on the photos described in NOTES.md. */
const RELIABILITY: Readonly<Partial<Record<Activity, number>>> = { standing: 0.89, smiling: 0.86 };

/** Of what the picture shows as a whole: 44 of 45 on the photos for tuning, rounded down since those were few of each. */
const RELIABILITY_OF_SHOWN = 0.92;

/** Of all other rules together, which had too few findings there to be separated: 23 of 29. */
const RELIABILITY_OF_OTHERS = 0.77;

/**
 * Whether a face clearly smiles. Small or uncertain faces are excluded: the network reports happiness in them without
 * reason.
 */
export const isSmiling = ({ prob, box, expression, expressionProb }: SeenFace): boolean =>
  expression === "happy" && expressionProb >= HAPPY_MIN && prob >= FACE_PROB_MIN && box.height >= FACE_HEIGHT_MIN;

const HAPPY_MIN = 0.97;
const FACE_PROB_MIN = 0.8;
/** Fraction of the frame's height. */
const FACE_HEIGHT_MIN = 0.06;

/** The activities of a body with the things around it. */
const relations = (body: Body, things: readonly Thing[], { aspect, names }: Scene): Evidence[] => {
  const person = extentOf(body.pose.box, aspect);
  const isBelieved = ({ label, prob }: Thing): boolean =>
    prob >= PLAIN_SURE || !PLAIN.has(label) || (PLAIN.get(label) ?? []).some((name) => (names?.get(name) ?? 0) >= HINT);
  return things.filter(isBelieved).flatMap((thing) => {
    const sure = [body.pose.prob, thing.prob];
    return [
      ...riding(body, person, thing, sure),
      ...onBoard(body, person, thing, sure),
      ...inHand(body, person, thing, sure),
      ...atHead(body, thing, sure),
    ];
  });
};

/** Things that much else in a hand is taken for, and what the picture shows where they are real. */
const PLAIN: ReadonlyMap<string, readonly string[]> = new Map([
  ["frisbee", []],
  ["baseball bat", ["baseball player", "baseball"]],
  ["baseball glove", ["baseball player", "baseball"]],
]);
const PLAIN_SURE = 0.85;
const HINT = 0.1;

/** Whether a seat is at the hips. */
const seatOf = ({ torso }: Body, things: readonly Thing[]): Seat => {
  if (torso === undefined) return undefined;
  const seats = things.filter(({ label }) => SEATS.has(label));
  const far = Math.min(...seats.map(({ extent }) => gap(torso.hips, extent))) / torso.length;
  if (far < 0.2) return "under";
  return far < 0.6 ? "beside" : undefined;
};

const SEATS: ReadonlySet<string> = new Set(["chair", "couch", "bench", "bed", "toilet"]);

const MOUNTS: ReadonlyMap<string, Activity> = new Map([
  ["bicycle", "riding a bicycle"],
  ["motorcycle", "riding a motorcycle"],
  ["horse", "riding a horse"],
  ["elephant", "riding an elephant"],
]);

/**
 * The hips are above the upper half of the mount, and no straight leg reaches the ground; a bent leg may, and so may hidden
 * ones that reach far down the mount.
 */
const riding = (body: Body, person: Extent, { label, extent }: Thing, sure: readonly number[]): Evidence[] => {
  const activity = MOUNTS.get(label);
  const hips = body.torso?.hips;
  if (!activity || !hips || sideOverlap(person, extent) < 0.6) return [];
  const seated = hips.x > extent.left && hips.x < extent.right && Math.abs(hips.y - extent.top) < 0.5 * extent.height;
  const lifted =
    body.legs.length > 0 && body.legs.every(({ kneeAngle, ankle }) => kneeAngle < 165 && ankle.y < extent.bottom);
  const above = person.bottom < extent.bottom - 0.08 * extent.height;
  const mounted = body.legs.some(({ kneeAngle }) => kneeAngle < 130);
  const astride =
    person.bottom > extent.top + 0.6 * extent.height && person.bottom < extent.bottom + 0.05 * extent.height;
  const rides = body.legs.length === 0 ? above || astride : (above && lifted) || (mounted && astride);
  return given(activity, seated && rides, ...sure);
};

const BOARDS: ReadonlyMap<string, Activity> = new Map([
  ["skateboard", "skateboarding"],
  ["surfboard", "surfing"],
  ["skis", "skiing"],
  ["snowboard", "snowboarding"],
]);

/** The feet are on the board. */
const onBoard = (body: Body, person: Extent, { label, extent }: Thing, sure: readonly number[]): Evidence[] => {
  const activity = BOARDS.get(label);
  const feet = body.legs.map(({ ankle }) => ankle);
  if (!activity || feet.length === 0) return [];
  const near = feet.some((foot) => gap(foot, extent) < 0.15 * person.height);
  const below = center(extent).y > person.top + 0.7 * person.height && extent.height < extent.width * 1.5;
  return given(activity, near && below, ...sure);
};

const GAMES: ReadonlyMap<string, Activity> = new Map([
  ["tennis racket", "playing tennis"],
  ["baseball bat", "playing baseball"],
  ["baseball glove", "playing baseball"],
  ["frisbee", "playing frisbee"],
  ["sports ball", "playing with a ball"],
]);

/** Games, and things used with the hands. Balls may be at the feet. */
const inHand = (body: Body, person: Extent, { label, extent }: Thing, sure: readonly number[]): Evidence[] => {
  const hands = handsOf(body);
  const reach = 0.14 * Math.max(person.height, person.width);
  const held = hands.some((hand) => gap(hand, extent) < reach);
  const game = GAMES.get(label);
  if (game) {
    const kicked = label === "sports ball" && body.legs.some(({ ankle }) => gap(ankle, extent) < reach * 1.5);
    return given(game, (held || kicked) && !isAtRest(body), ...sure);
  }
  const eyes = body.point("nose");
  if (label === "laptop") return given("using a laptop", held && isBelow(extent, eyes), ...sure);
  if (label === "book") {
    const inBoth = hands.length === 2 && hands.every((hand) => gap(hand, extent) < reach);
    return given("reading a book", held && isBelow(extent, eyes) && (inBoth || looksDown(body)), ...sure);
  }
  return [];
};

/** Sits or squats, like somebody who poses with a racket. */
const isAtRest = ({ legs }: Body): boolean =>
  legs.length > 0 && legs.every(({ hip, knee, length }) => knee.y - hip.y < 0.3 * length);

const isBelow = (extent: Extent, nose: Point | undefined): boolean => nose !== undefined && center(extent).y > nose.y;

/** The nose is lower than the ears. */
const looksDown = (body: Body): boolean => {
  const nose = body.point("nose");
  const ears = [body.point("left ear"), body.point("right ear")].filter((ear) => ear !== undefined);
  return nose !== undefined && ears.length > 0 && ears.every((ear) => nose.y > ear.y);
};

/** What is at the mouth of a face, whose hands and shoulders may not be seen. */
const atMouth = (face: SeenFace, things: readonly Thing[], aspect: number): Evidence[] => {
  const extent = extentOf(face.box, aspect);
  const mouth = { x: center(extent).x, y: extent.top + 0.78 * extent.height };
  if (face.prob < FACE_PROB_MIN || extent.height < FACE_HEIGHT_MIN) return [];
  return things
    .filter((thing) => gap(mouth, thing.extent) < 0.2 * extent.height)
    .filter((thing) => Math.max(thing.extent.width, thing.extent.height) < 3 * extent.height)
    .flatMap(({ label, prob }) => {
      const activity = EATEN.has(label) ? "eating" : label === "toothbrush" ? "brushing teeth" : undefined;
      return activity === undefined ? [] : given(activity, true, face.prob, prob);
    })
    .map((evidence) => ({ ...evidence, box: face.box }));
};

/** Food and cutlery. */
const EATEN: ReadonlySet<string> = new Set([...FOOD_LABELS, "fork", "spoon"]);

/** Things held to the mouth or the ear. */
const atHead = (body: Body, { label, extent }: Thing, sure: readonly number[]): Evidence[] => {
  const nose = body.point("nose");
  const size = headSize(body);
  if (!nose || size === undefined || Math.max(extent.width, extent.height) > 5 * size) return [];
  const mouth = { x: nose.x, y: nose.y + 0.35 * size };
  const held = handsOf(body).some((hand) => gap(hand, extent) < 0.6 * size);
  const atMouth = held && gap(mouth, extent) < 0.3 * size;
  if (VESSEL_LABELS.has(label)) return given("drinking", atMouth, ...sure);
  if (EATEN.has(label)) return given("eating", atMouth, ...sure);
  if (label === "toothbrush") return given("brushing teeth", atMouth, ...sure);
  if (label !== "cell phone" || !held) return [];
  const ears = [body.point("left ear"), body.point("right ear")].filter((ear) => ear !== undefined);
  const atEar = ears.some((ear) => gap(ear, extent) < 0.35 * size);
  return [...given("talking on the phone", atEar, ...sure), ...given("using a phone", !atEar, ...sure)];
};

/** The positions of the hands: slightly beyond the wrists. */
const handsOf = (body: Body): Point[] =>
  (["left", "right"] as const).flatMap((side) => {
    const [wrist, elbow] = [body.point(`${side} wrist`), body.point(`${side} elbow`)];
    if (!wrist) return [];
    return elbow ? [{ x: wrist.x + (wrist.x - elbow.x) * 0.25, y: wrist.y + (wrist.y - elbow.y) * 0.25 }] : [wrist];
  });

/** Approximate height of the head, by the shoulders, the torso or the ears. */
const headSize = (body: Body): number | undefined => {
  const pairs = [
    ["left shoulder", "right shoulder", 0.75],
    ["left ear", "right ear", 1.4],
  ] as const;
  const sizes = pairs.flatMap(([one, other, factor]) => {
    const [a, b] = [body.point(one), body.point(other)];
    return a && b ? [distance(a, b) * factor] : [];
  });
  if (body.torso) sizes.push(body.torso.length * 0.45);
  return sizes.length > 0 ? Math.max(...sizes) : undefined;
};

/** Kites fly over everyone's head. */
const kites = (scene: Scene): Evidence[] => {
  const people = scene.objects.filter(({ label }) => label === "person");
  return scene.objects
    .filter(({ label }) => label === "kite")
    .flatMap((kite) => {
      const below = people.filter(({ box }) => box.top > kite.box.top + kite.box.height);
      const surest = Math.max(0, ...below.map(({ prob }) => prob));
      return given("flying a kite", below.length > 0 && below.length * 2 >= people.length, kite.prob, surest);
    });
};
