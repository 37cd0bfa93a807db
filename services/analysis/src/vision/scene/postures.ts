import type { Activity } from "./activities.js";
import { distance, type Arm, type Body, type Leg } from "./body.js";
import { fromScore, given, type Evidence } from "./evidence.js";

/**
 * Position of a seat relative to a body's hips: `beside` them it may be a high stool, or a chair that somebody stands
 * next to.
 */
export type Seat = "under" | "beside" | undefined;

/** The activities by the joints of a body. */
export const postures = (body: Body, seat: Seat): Evidence[] => [...ofLegs(body, seat), ...ofArms(body)];

const ofLegs = (body: Body, seat: Seat): Evidence[] => {
  const { torso, legs } = body;
  if (!torso || legs.length === 0) return [];
  const sure = [body.pose.prob, fromScore(legCertainty(body))];
  const onSeat = seat === "under";
  return [
    ...given("standing", seat === undefined && torso.tilt < 20 && isStanding(legs), ...sure),
    ...given("sitting", onSeat && torso.tilt < 45 && legs.every(isSeated), ...sure),
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
