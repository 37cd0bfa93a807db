/** A time as the Graph API writes it, such as `2026-11-20T08:09:52+0000`. */
export function graphTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, "2026-11-20T08:09:52".length)}+0000`;
}
