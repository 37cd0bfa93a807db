import { randomBytes } from "node:crypto";

const SHAPE = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{3})-[0-9a-f]{8}$/;

/** Makes a `kid` that tells when the key was made, so that ids sort by age: `20260131235959123-9f86d081`. */
export function makeKeyId(madeAt: number): string {
  return `${new Date(madeAt).toISOString().replace(/\D/g, "")}-${randomBytes(4).toString("hex")}`;
}

/** When the key was made, in milliseconds since 1970; nothing when the text is no `kid` of ours. */
export function keyMadeAt(id: string): number | undefined {
  const match = SHAPE.exec(id);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : at;
}
