import { randomInt } from "node:crypto";

/** Letters and digits that are not confused when read aloud or copied by hand: 31 of them. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 6;
const GROUP_LENGTH = 5;

/** A random password of 148 bits, in readable groups: `k7m2p-…`. */
export function generatePassword(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
