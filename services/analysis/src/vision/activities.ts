import type { Box } from "../types.js";

/**
 * The closed list of `activity-id`: plain names for some of the actions of Kinetics-400 and AVA, each with its name
 * there. The engine `builtin` recognizes those found `by` rules in pictures, and those by movement only in videos and
 * animations; the others need a model.
 */
export const ACTIVITIES = [
  { label: "standing", like: "AVA: stand", by: "rules" },
  { label: "sitting", like: "AVA: sit", by: "rules" },
  { label: "lying down", like: "AVA: lie/sleep", by: "rules" },
  { label: "squatting", like: "AVA: crouch/kneel", by: "rules" },
  { label: "bending over", like: "AVA: bend/bow (at the waist)", by: "rules" },
  { label: "lunging", like: "Kinetics: lunge", by: "rules" },
  { label: "stretching arms out", like: "Kinetics: stretching arm", by: "rules" },
  { label: "raising a hand", like: "AVA: hand wave", by: "rules" },
  { label: "raising both arms", like: "Kinetics: stretching arm", by: "rules" },
  { label: "smiling", like: "Kinetics: laughing", by: "rules" },
  { label: "riding a bicycle", like: "Kinetics: riding a bike", by: "rules" },
  { label: "riding a motorcycle", like: "Kinetics: motorcycling", by: "rules" },
  { label: "riding a horse", like: "Kinetics: riding or walking with horse", by: "rules" },
  { label: "riding an elephant", like: "Kinetics: riding elephant", by: "rules" },
  { label: "flying a kite", like: "Kinetics: flying kite", by: "rules" },
  { label: "skateboarding", like: "Kinetics: skateboarding", by: "rules" },
  { label: "surfing", like: "Kinetics: surfing water", by: "rules" },
  { label: "skiing", like: "Kinetics: skiing", by: "rules" },
  { label: "snowboarding", like: "Kinetics: snowboarding", by: "rules" },
  { label: "playing tennis", like: "Kinetics: playing tennis", by: "rules" },
  { label: "playing baseball", like: "Kinetics: catching or throwing baseball, hitting baseball", by: "rules" },
  { label: "playing frisbee", like: "Kinetics: catching or throwing frisbee", by: "rules" },
  { label: "playing with a ball", like: "Kinetics: dribbling basketball, kicking soccer ball", by: "rules" },
  { label: "drinking", like: "AVA: drink", by: "rules" },
  { label: "eating", like: "AVA: eat", by: "rules" },
  { label: "playing an instrument", like: "AVA: play musical instrument", by: "rules" },
  { label: "playing rugby", like: "Kinetics: tackling, passing American football", by: "rules" },
  { label: "riding a unicycle", like: "Kinetics: riding unicycle", by: "rules" },
  { label: "riding a snowmobile", like: "Kinetics: snowmobiling", by: "rules" },
  { label: "paddling", like: "Kinetics: canoeing or kayaking", by: "rules" },
  { label: "doing gymnastics", like: "Kinetics: gymnastics tumbling, vault", by: "rules" },
  { label: "scuba diving", like: "Kinetics: scuba diving", by: "rules" },
  { label: "brushing teeth", like: "Kinetics: brushing teeth", by: "rules" },
  { label: "using a laptop", like: "Kinetics: using computer", by: "rules" },
  { label: "using a phone", like: "AVA: text on/look at a cellphone", by: "rules" },
  { label: "talking on the phone", like: "AVA: answer phone", by: "rules" },
  { label: "reading a book", like: "Kinetics: reading book", by: "rules" },
  { label: "doing squats", like: "Kinetics: squat", by: "movement" },
  { label: "doing jumping jacks", like: "Kinetics-600: doing jumping jacks", by: "movement" },
  { label: "waving", like: "AVA: hand wave", by: "movement" },
  { label: "walking", like: "AVA: walk", by: "model" },
  { label: "running", like: "AVA: run/jog", by: "rules" },
  { label: "jumping", like: "AVA: jump/leap", by: "model" },
  { label: "dancing", like: "AVA: dance", by: "model" },
  { label: "swimming", like: "AVA: swim", by: "model" },
  { label: "climbing", like: "Kinetics: rock climbing", by: "model" },
  { label: "doing yoga", like: "Kinetics: yoga", by: "model" },
  { label: "lifting weights", like: "Kinetics: deadlifting, snatch weight lifting", by: "rules" },
  { label: "walking the dog", like: "Kinetics: walking the dog", by: "model" },
  { label: "driving a car", like: "Kinetics: driving car", by: "model" },
  { label: "sailing", like: "Kinetics: sailing", by: "model" },
  { label: "fishing", like: "AVA: fishing", by: "model" },
  { label: "cooking", like: "AVA: cook", by: "model" },
  { label: "shopping", like: "Kinetics: shopping", by: "model" },
  { label: "watching television", like: "AVA: watch (e.g., TV)", by: "model" },
  { label: "playing guitar", like: "Kinetics: playing guitar", by: "rules" },
  { label: "playing piano", like: "Kinetics: playing piano", by: "rules" },
  { label: "playing drums", like: "Kinetics: playing drums", by: "rules" },
  { label: "singing", like: "Kinetics: singing", by: "model" },
  { label: "painting", like: "AVA: paint", by: "model" },
  { label: "giving a speech", like: "Kinetics: giving or receiving award, news anchoring", by: "model" },
  { label: "applauding", like: "Kinetics: applauding", by: "model" },
  { label: "celebrating", like: "Kinetics: celebrating", by: "model" },
  { label: "hugging", like: "AVA: hug (a person)", by: "model" },
  { label: "kissing", like: "AVA: kiss (a person)", by: "model" },
  { label: "shaking hands", like: "AVA: hand shake", by: "model" },
  { label: "fighting", like: "AVA: fight/hit (a person)", by: "model" },
  { label: "sleeping", like: "AVA: lie/sleep", by: "model" },
  { label: "crying", like: "Kinetics: crying", by: "model" },
  { label: "playing cards", like: "Kinetics: playing cards", by: "model" },
  { label: "playing basketball", like: "Kinetics: playing basketball", by: "rules" },
  { label: "playing football", like: "Kinetics: kicking soccer ball, passing American football", by: "rules" },
  { label: "playing volleyball", like: "Kinetics: playing volleyball", by: "rules" },
  { label: "playing golf", like: "Kinetics: golf driving, golf putting", by: "model" },
  { label: "taking a photo", like: "AVA: take a photo", by: "model" },
] as const satisfies readonly { label: string; like: string; by: "rules" | "movement" | "model" }[];

/** A name of the closed list. */
export type Activity = (typeof ACTIVITIES)[number]["label"];

/** Evidence for an activity with its strength, 0 to 1; not calibrated yet. */
export interface Evidence {
  activity: Activity;
  strength: number;
  /** Of the person, or of the face that shows it; absent if it is not one person's. */
  box?: Box;
}

/** A list of one piece of evidence, as strong as its weakest part; empty if the rule does not hold. */
export const given = (activity: Activity, holds: boolean, ...sure: readonly number[]): Evidence[] =>
  holds ? [{ activity, strength: Math.min(1, ...sure) }] : [];

/** Scores of points are about .8 where the network is certain. */
export const fromScore = (score: number): number => Math.min(1, score / 0.7);
