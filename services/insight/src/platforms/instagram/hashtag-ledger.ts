import { randomUUID } from "node:crypto";
import { type Collection, type CollectionDeclaration, declared } from "@hourglass/runtime";
import type { PlatformDeps, SharedUse } from "../connector.js";
import { hashtagsFor } from "../hashtags.js";
import { SourceError } from "../sources.js";

const DAY_MS = 24 * 60 * 60_000;
/** Instagram counts a hashtag for seven days; an hour more, because its clock may differ. */
const COUNTED_MS = 7 * DAY_MS + 60 * 60_000;
/** Hashtags that only previews may use. */
const HELD_BACK = 1;
const BUDGET = "instagram.hashtags";

/** The hashtags for which an account has asked. */
interface AccountRecord {
  /** Id of the account. */
  id: string;
  revision: number;
  /** In the order in which they were first asked for; asking again does not prolong it. */
  counted: { name: string; at: number }[];
}

/** The id of a hashtag at Instagram, which never changes. */
interface HashtagRecord {
  /** Its name. */
  id: string;
  hashtagId: string;
}

/** The account is the operator's, and its hashtags are counted for all companies together. */
const SHARED = { because: "searches of several companies share them" } as const;

const ACCOUNTS: CollectionDeclaration<AccountRecord> = { name: "instagram_accounts", belongs: SHARED };

const HASHTAGS: CollectionDeclaration<HashtagRecord> = { name: "instagram_hashtags", belongs: SHARED };

interface Parts {
  readonly deps: PlatformDeps;
  readonly accounts: Collection<AccountRecord>;
  readonly hashtags: Collection<HashtagRecord>;
  readonly account: string;
  readonly limit: number;
}

/** Keeps an account within the different hashtags that Instagram allows it in any seven days, over all processes. */
export class HashtagLedger {
  private constructor(private readonly parts: Parts) {}

  static async open(
    deps: PlatformDeps,
    { account, limit }: { readonly account: string; readonly limit: number },
  ): Promise<HashtagLedger> {
    const accounts = await deps.store.collection(ACCOUNTS);
    const hashtags = await deps.store.collection(HASHTAGS);
    return new HashtagLedger({ deps, accounts, hashtags, account, limit });
  }

  /** Reserves a hashtag before it is asked for. Throws SourceError `budget` with the time at which another one is free. */
  async reserve(name: string, { preview }: { readonly preview: boolean }): Promise<void> {
    const { accounts, limit, deps } = this.parts;
    for (;;) {
      const { id, revision, counted } = await this.record();
      const now = deps.now();
      const live = counted.filter(({ at }) => at + COUNTED_MS > now);
      if (live.some((hashtag) => hashtag.name === name)) return;
      const allowed = preview || limit === 1 ? limit : limit - HELD_BACK;
      if (live.length >= allowed) {
        throw spent({ used: live.length, limit }, (live[live.length - allowed]?.at ?? now) + COUNTED_MS);
      }
      const change = { set: { counted: [...live, { name, at: now }], revision: revision + 1 } };
      if ((await accounts.update({ id, revision }, change)) === undefined) continue;
      await this.show(revision + 1, live.length + 1);
      return;
    }
  }

  /** Undefined if Instagram has not been asked for it yet. */
  async idOf(name: string): Promise<string | undefined> {
    return (await this.parts.hashtags.get(name))?.hashtagId;
  }

  async keepId(name: string, hashtagId: string): Promise<void> {
    await this.parts.hashtags.put({ id: name, hashtagId });
  }

  private async record(): Promise<AccountRecord> {
    const { accounts, account } = this.parts;
    const known = await accounts.get(account);
    if (known !== undefined) return known;
    await accounts.insertNew([{ id: account, revision: 0, counted: [] }]);
    return (await accounts.get(account)) ?? { id: account, revision: 0, counted: [] };
  }

  /** Shows in the metrics what is left: the limit holds for any seven days, so each change begins its own window. */
  private async show(revision: number, used: number): Promise<void> {
    const { deps, limit } = this.parts;
    const now = deps.now();
    const window = `${new Date(now).toISOString()} ${String(revision).padStart(9, "0")}`;
    // The ledger has decided already.
    await deps.spend({ name: BUDGET, window, limit, allowed: limit }, used, now).catch(() => undefined);
  }
}

function spent({ used, limit }: { used: number; limit: number }, retryAt: number): SourceError {
  const rest = used < limit ? ", and the last one is for previews" : "";
  const message =
    `${used} of the ${limit} different hashtags of seven days (INSTAGRAM_HASHTAGS_PER_WEEK) are used${rest}. ` +
    `Another one is free at ${new Date(retryAt).toISOString()}. Hashtags of other insights cost nothing.`;
  return new SourceError("budget", message, { retryAt, requests: 0 });
}

/** Hashtags are counted for the account of the server, whichever search looks for them. */
export const SHARED_HASHTAGS: SharedUse = {
  platform: "instagram",
  collections: [declared(ACCOUNTS), declared(HASHTAGS)],
  namesOf: ({ query }) => hashtagsFor(query).hashtags.map(({ name }) => name),
  forget: async (store, names) => {
    const [accounts, hashtags] = [await store.collection(ACCOUNTS), await store.collection(HASHTAGS)];
    const erased = new Set(names);
    // They still count for Instagram, so only their names go.
    for await (const { id } of accounts.stream({})) {
      for (;;) {
        const account = await accounts.get(id);
        if (account?.counted.some(({ name }) => erased.has(name)) !== true) break;
        const { revision } = account;
        const counted = account.counted.map((each) => (erased.has(each.name) ? { ...each, name: randomUUID() } : each));
        if (await accounts.update({ id, revision }, { set: { counted, revision: revision + 1 } })) break;
      }
    }
    return { [HASHTAGS.name]: await hashtags.delete({ id: { in: names } }) };
  },
};
