import { randomUUID } from "node:crypto";
import { declared } from "@hourglass/runtime";
import { hashtagsFor } from "../../hashtags.js";
import type { SharedUse } from "../../connector.js";
import { ACCOUNTS, HASHTAGS } from "./hashtag-ledger.js";

/** Hashtags are counted for the account of the server, whoever looks for them. */
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
