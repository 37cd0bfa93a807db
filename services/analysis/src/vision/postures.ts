import { type Activity, type Evidence, fromScore, given } from "./activities.js";
import type { Keypoint, KeypointName, Pose } from "./poses.js";

/**
 * Position of a seat relative to a body's hips: `beside` them it may be a high stool, or a chair that somebody stands
 * next to.
 */
export type Seat = "under" | "beside" | undefined;

/** The activities by the joints of a body. */
export const postures = (body: Body, seat: Seat): Evidence[] => [...ofLegs(body, seat), ...ofArms(body)];

const ofLegs = (body: Body, seat: Seat): Evidence[] => {
  const { torso, legs } = body;
  if (!torso) return [];
  const onSeat = seat === "under";
  if (legs.length === 0) {
    return given("sitting", torso.tilt < 35 && (onSeat || hasLap(body, torso)), body.pose.prob);
  }
  const sure = [body.pose.prob, fromScore(legCertainty(body))];
  return [
    ...given("standing", seat === undefined && torso.tilt < 20 && isStanding(legs), ...sure),
    ...given("sitting", isSitting(body, torso, onSeat), ...sure),
    ...given("running", torso.tilt < 45 && isRunning(legs, torso.length), ...sure),
    ...(legs.length === 2 ? ofBothLegs(torso, legs, onSeat).flatMap((posture) => given(posture, true, ...sure)) : []),
  ];
};

const ofBothLegs = ({ tilt, length }: Torso, legs: readonly Leg[], onSeat: boolean): Activity[] => {
  const postures: [Activity, boolean][] = [
    ["squatting", !onSeat && tilt < 50 && isSquatting(legs, length)],
    ["lunging", tilt < 20 && isLunging(legs)],
    ["bending over", tilt > 55 && tilt < 125 && legs.every(isUpright)],
    ["lying down", isLevel(tilt) && legs.every(({ thigh, shank }) => isLevel(thigh) && isLevel(shank))],
  ];
  return postures.flatMap(([posture, holds]) => (holds ? posture : []));
};

type Torso = NonNullable<Body["torso"]>;

/** Legs are straight and together: legs apart may be walking. */
const isStanding = (legs: readonly Leg[]): boolean =>
  legs.every((leg) => isUpright(leg) && leg.thigh < 20) && stride(legs) < 0.45;

const isUpright = ({ kneeAngle, thigh, shank }: Leg): boolean => kneeAngle > 155 && thigh < 35 && shank < 30;

/** On a seat that was detected, or as on one: the knees are hardly lower than the hips, and the feet far below. */
const isSitting = ({ legs }: Body, { tilt, length }: Torso, onSeat: boolean): boolean => {
  if (tilt < 45 && onSeat && legs.every(isSeated)) return true;
  const [one, other] = legs;
  if (tilt >= 35 || one === undefined) return false;
  if (other === undefined) return isChairLeg(one, length, 0.3) && one.kneeAngle < 125;
  const isLoose = [one, other].some(({ shank }) => shank < 30) && one.shank < 50 && other.shank < 50;
  return isLoose && isChairLeg(one, length, 0.42) && isChairLeg(other, length, 0.42);
};

/** `drop` is how far the knee may be below the hip, in torso lengths. */
const isChairLeg = ({ hip, knee, ankle, shank }: Leg, torso: number, drop: number): boolean =>
  knee.y - hip.y < drop * torso &&
  knee.y - hip.y > -0.3 * torso &&
  shank < 50 &&
  ankle.y - knee.y > 0.55 * torso &&
  ankle.y - hip.y > 0.8 * torso;

/** Both knees are as high as the hips, and away from them or apart; the feet are hidden. */
const hasLap = (body: Body, { length }: Torso): boolean => {
  const thighs = SIDES.flatMap((side) => {
    const [hip, knee] = [body.point(`${side} hip`), body.point(`${side} knee`)];
    return hip && knee ? [{ down: (knee.y - hip.y) / length, across: Math.abs(knee.x - hip.x) / length }] : [];
  });
  return (
    thighs.every(({ down }) => down < 0.3 && down > -0.4) && thighs.reduce((sum, { across }) => sum + across, 0) >= 0.8
  );
};

/** One leg is drawn up behind under a thigh that points down, and the other carries the body. */
const isRunning = (legs: readonly Leg[], torso: number): boolean => {
  const [one, other] = legs;
  if (one === undefined || other === undefined) return false;
  const [bent, straight] = one.kneeAngle < other.kneeAngle ? [one, other] : [other, one];
  return (
    bent.kneeAngle < 115 &&
    bent.shank > 60 &&
    bent.thigh < 60 &&
    straight.kneeAngle > 120 &&
    straight.ankle.y - bent.ankle.y > 0.3 * torso
  );
};

/** From the side the thigh is level; from the front it looks short. */
const isSeated = ({ hip, knee, ankle, hipAngle, shank, length }: Leg): boolean =>
  hipAngle !== undefined &&
  knee.y - hip.y < 0.32 * length &&
  knee.y - hip.y > -0.25 * length &&
  ankle.y > knee.y &&
  shank < 60;

/** The hips are as low as the knees, above the feet. */
const isSquatting = (legs: readonly Leg[], torso: number): boolean =>
  legs.every(
    ({ kneeAngle, hipAngle, hip, knee, ankle, length }) =>
      kneeAngle < 110 &&
      (hipAngle ?? 180) < 125 &&
      knee.y - hip.y < 0.3 * length &&
      ankle.y - hip.y < 0.75 * torso &&
      ankle.y > hip.y &&
      Math.abs(ankle.x - hip.x) < 0.45 * length,
  );

const isLunging = (legs: readonly Leg[]): boolean => {
  const [bent, straight] = [...legs].sort((a, b) => a.kneeAngle - b.kneeAngle) as [Leg, Leg];
  return (
    bent.kneeAngle > 70 &&
    bent.kneeAngle < 135 &&
    bent.shank < 30 &&
    straight.kneeAngle > 155 &&
    stride(legs) > 0.75 &&
    Math.abs(bent.ankle.y - straight.ankle.y) < 0.2 * straight.length
  );
};

const isLevel = (tilt: number): boolean => tilt > 60 && tilt < 120;

/** Distance between the feet, in leg lengths; 0 if only one leg is visible. */
const stride = ([one, other]: readonly Leg[]): number =>
  one && other ? distance(one.ankle, other.ankle) / Math.max(one.length, other.length) : 0;

const legCertainty = (body: Body): number =>
  Math.min(...body.legs.map(({ side }) => body.certainty([`${side} hip`, `${side} knee`, `${side} ankle`])));

const ofArms = (body: Body): Evidence[] => {
  const { torso, arms, pose } = body;
  const nose = body.point("nose");
  if (!torso) return [];
  const sure = (used: readonly Arm[]): number[] => [
    pose.prob,
    fromScore(
      Math.min(1, ...used.map(({ side }) => body.certainty([`${side} shoulder`, `${side} elbow`, `${side} wrist`]))),
    ),
  ];
  const raised = nose
    ? arms.filter((arm) => arm.elbowAngle > 95 && arm.lift > 115 && nose.y - arm.wrist.y > 0.25 * torso.length)
    : [];
  const upright = torso.tilt < 45;
  return [
    ...given("raising a hand", upright && raised.length === 1, ...sure(raised)),
    ...given("raising both arms", upright && raised.length === 2, ...sure(raised)),
    ...given("stretching arms out", upright && arms.length === 2 && areStretched(arms), ...sure(arms)),
  ];
};

/** Straight, level, one on each side. */
const areStretched = (arms: readonly Arm[]): boolean =>
  arms.every(({ elbowAngle, lift }) => elbowAngle > 150 && lift > 65 && lift < 115) &&
  arms.reduce((product, { wrist, shoulder }) => product * Math.sign(wrist.x - shoulder.x), 1) < 0;

/** A position in units of the frame's height, so that angles are those of the picture; y grows downwards. */
export interface Point {
  x: number;
  y: number;
}

export type Side = "left" | "right";
export const SIDES: readonly Side[] = ["left", "right"];

/** A pose with measured joints. Points of which the network is not sure are undefined. Angles are in degrees. */
export interface Body {
  pose: Pose;
  point(name: KeypointName): Point | undefined;
  /** Mean score of these points, 0 to 1. */
  certainty(names: readonly KeypointName[]): number;
  /** From hip to shoulder; the unit of distances. Undefined without a torso. */
  torso?: { length: number; tilt: number; shoulders: Point; hips: Point };
  legs: readonly Leg[];
  arms: readonly Arm[];
}

/** A leg from hip to ankle. `thigh` and `shank` are tilts from the vertical. */
interface Leg {
  side: Side;
  hip: Point;
  knee: Point;
  ankle: Point;
  kneeAngle: number;
  /** Between thigh and torso; 180 is straight. Undefined without that shoulder. */
  hipAngle?: number;
  thigh: number;
  shank: number;
  length: number;
}

/** An arm from shoulder to wrist. */
interface Arm {
  side: Side;
  shoulder: Point;
  elbow: Point;
  wrist: Point;
  elbowAngle: number;
  /** Direction of the line from shoulder to wrist: 0 points down, 180 up. */
  lift: number;
}

/** Measures a pose in a frame of this aspect (width by height). */
export const bodyOf = (pose: Pose, aspect: number): Body => {
  const points = new Map<KeypointName, Keypoint>(pose.keypoints.map((point) => [point.name, point]));
  const point = (name: KeypointName): Point | undefined => {
    const found = points.get(name);
    return found && found.score >= SCORE_MIN ? { x: found.x * aspect, y: found.y } : undefined;
  };
  const certainty = (names: readonly KeypointName[]): number =>
    names.reduce((sum, name) => sum + (points.get(name)?.score ?? 0), 0) / names.length;
  const torso = torsoOf(point);
  return {
    pose,
    point,
    certainty,
    ...(torso ? { torso } : {}),
    legs: SIDES.flatMap((side) => legOf(point, side) ?? []),
    arms: SIDES.flatMap((side) => armOf(point, side) ?? []),
  };
};

/** Angle in degrees at `corner` between the lines to the two other points. */
const angleAt = (corner: Point, one: Point, other: Point): number => {
  const [a, b] = [minus(one, corner), minus(other, corner)];
  const cosine = (a.x * b.x + a.y * b.y) / (Math.hypot(a.x, a.y) * Math.hypot(b.x, b.y) || 1);
  return toDegrees(Math.acos(Math.min(1, Math.max(-1, cosine))));
};

/** Angle in degrees between the line from `from` to `to` and straight down. */
const fromDown = (from: Point, to: Point): number => angleAt(from, to, { x: from.x, y: from.y + 1 });

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

type PointOf = Body["point"];

const torsoOf = (point: PointOf): Body["torso"] => {
  const shoulders = between(point("left shoulder"), point("right shoulder"));
  const hips = between(point("left hip"), point("right hip"));
  if (!shoulders || !hips) return undefined;
  return { length: distance(shoulders, hips), tilt: fromDown(shoulders, hips), shoulders, hips };
};

const legOf = (point: PointOf, side: Side): Leg | undefined => {
  const [hip, knee, ankle, shoulder] = [
    point(`${side} hip`),
    point(`${side} knee`),
    point(`${side} ankle`),
    point(`${side} shoulder`),
  ];
  if (!hip || !knee || !ankle) return undefined;
  return {
    side,
    hip,
    knee,
    ankle,
    kneeAngle: angleAt(knee, hip, ankle),
    ...(shoulder ? { hipAngle: angleAt(hip, shoulder, knee) } : {}),
    thigh: fromDown(hip, knee),
    shank: fromDown(knee, ankle),
    length: distance(hip, knee) + distance(knee, ankle),
  };
};

const armOf = (point: PointOf, side: Side): Arm | undefined => {
  const [shoulder, elbow, wrist] = [point(`${side} shoulder`), point(`${side} elbow`), point(`${side} wrist`)];
  if (!shoulder || !elbow || !wrist) return undefined;
  return { side, shoulder, elbow, wrist, elbowAngle: angleAt(elbow, shoulder, wrist), lift: fromDown(shoulder, wrist) };
};

const between = (a: Point | undefined, b: Point | undefined): Point | undefined => (a && b ? middle(a, b) : (a ?? b));
const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

/** Minimum score of the networks; points below are guesses. */
const SCORE_MIN = 0.3;
