import type { Store } from "@hourglass/runtime";
import { USERS } from "./accounts.js";
import { API_KEYS, type ApiKeyRecord } from "./api-keys.js";

/** Something about an API key that its company or the operator should know. */
export interface KeyConcern {
  key: Pick<ApiKeyRecord, "id" | "company_id" | "name">;
  /**
   * `ended`: it is good for nothing any more; `ends`: it will be within two weeks; `unused`: it was made at least a day ago
   * and never used; `maker-gone`: its maker is deactivated or deleted, so that it is refused.
   */
  kind: "ended" | "ends" | "unused" | "maker-gone";
  /** When it ends, or was made, in milliseconds since the epoch. */
  at: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** Enough for a company to make another key and hand it out. */
const ENDS_WITHIN_MS = 14 * DAY_MS;
/** A key that was made today may yet be used. */
const UNUSED_AFTER_MS = DAY_MS;

/** What there is to know about the API keys of all companies, by key, and how many keys there are. */
export async function lookAtKeys(
  store: Pick<Store, "collection">,
  now: number,
): Promise<{ count: number; concerns: KeyConcern[] }> {
  const [keys, users] = [await store.collection(API_KEYS), await store.collection(USERS)];
  const all = await keys.find({});
  const makers = [...new Set(all.flatMap(({ created_by }) => created_by ?? []))];
  const active = new Set((await users.find({ id: { in: makers }, active: true })).map(({ id }) => id));
  return { count: all.length, concerns: all.flatMap((key) => concernsOf(key, { active, now })) };
}

function concernsOf(key: ApiKeyRecord, { active, now }: { active: ReadonlySet<number>; now: number }): KeyConcern[] {
  const { expires_at: end, created_by: maker } = key;
  const made = Date.parse(key.created_at);
  if (end !== null && end <= now) return [{ key, kind: "ended", at: end }];
  const concerns: KeyConcern[] = [];
  if (maker !== null && !active.has(maker)) concerns.push({ key, kind: "maker-gone", at: made });
  if (end !== null && end <= now + ENDS_WITHIN_MS) concerns.push({ key, kind: "ends", at: end });
  if (key.last_used_at === null && made <= now - UNUSED_AFTER_MS) concerns.push({ key, kind: "unused", at: made });
  return concerns;
}
