import { randomBytes } from "node:crypto";

const SHAPE = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{3})-[0-9a-f]{8}$/;

/** Makes a `kid` that contains the creation time of the key, so that ids sort by age: `20260131235959123-9f86d081`. */
export function makeKeyId(madeAt: number): string {
  return `${new Date(madeAt).toISOString().replace(/\D/g, "")}-${randomBytes(4).toString("hex")}`;
}

/** Creation time of the key, in milliseconds since 1970; undefined if the text is not a `kid` of this format. */
export function keyMadeAt(id: string): number | undefined {
  const match = SHAPE.exec(id);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : at;
}
