/** An author who does not exist. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

const NAMES = ["Ada", "Bela", "Chidi", "Dana", "Emre", "Fadila", "Goran", "Hana", "Ines", "Jun"] as const;
const PEOPLE = 500;

/** A person whose name and user name say that they are invented. */
export function inventPerson(random: () => number): Person {
  const number = Math.floor(random() * PEOPLE);
  const name = oneOf(NAMES, random);
  return {
    id: String(2_200_000 + number * NAMES.length + NAMES.indexOf(name)),
    username: `${name.toLowerCase()}_demo_${number}`,
    name: `${name} Invented ${number}`,
  };
}

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

/** Numbers from 0 to below 1 that depend on the seed only (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of them. */
export function oneOf<T>(values: readonly [T, ...T[]], random: () => number): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}
