import type { Migration } from "./store.js";

/** Throws TypeError unless each owner's migrations are listed as 1, 2, 3 …: they are safe only in this order. */
export function mustBeNumbered(migrations: readonly Migration[]): void {
  const last = new Map<string, number>();
  for (const { owner, version } of migrations) {
    const expected = (last.get(owner) ?? 0) + 1;
    if (version !== expected) throw new TypeError(`Migration ${owner} ${version} is listed where ${expected} belongs.`);
    last.set(owner, version);
  }
}
