import { oneOf } from "./random.js";

const OPENINGS = [
  "Just tried the new Kestrel phone",
  "Two weeks with the Kestrel phone",
  "The Kestrel phone arrived",
  "Thinking about a Kestrel phone",
  "My Kestrel phone updated itself last night",
] as const;
const OPINIONS = [
  "and the camera is wonderful",
  "and the battery does not last a day",
  "and I cannot decide whether I like it",
  "and support answered within an hour, thank you",
  "and it is far too expensive for what it does",
  "and I would buy it again tomorrow",
] as const;
const CLOSINGS = [" #kestrel", " @kestrel_demo", " #kestrel #unboxing", "", ""] as const;

/** A text about a product that does not exist. */
export function inventText(random: () => number): string {
  return `${oneOf(OPENINGS, random)} ${oneOf(OPINIONS, random)}.${oneOf(CLOSINGS, random)}`;
}
