import type { Keypoint, KeypointName, Pose } from "../poses/pose.js";

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
export interface Leg {
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
export interface Arm {
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
    return found && found.score >= SURE ? { x: found.x * aspect, y: found.y } : undefined;
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
export const angleAt = (corner: Point, one: Point, other: Point): number => {
  const [a, b] = [minus(one, corner), minus(other, corner)];
  const cosine = (a.x * b.x + a.y * b.y) / (Math.hypot(a.x, a.y) * Math.hypot(b.x, b.y) || 1);
  return toDegrees(Math.acos(Math.min(1, Math.max(-1, cosine))));
};

/** Angle in degrees between the line from `from` to `to` and straight down. */
export const fromDown = (from: Point, to: Point): number => angleAt(from, to, { x: from.x, y: from.y + 1 });

export const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

export const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

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
const SURE = 0.3;
