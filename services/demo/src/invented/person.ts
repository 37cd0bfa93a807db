import { oneOf } from "./random.js";

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
