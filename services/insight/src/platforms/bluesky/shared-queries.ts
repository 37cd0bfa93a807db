import type { SharedUse } from "../connector.js";
import { digestOf } from "./stream/batch.js";
import { keywordsOf } from "./keywords.js";
import { BLUESKY_COLLECTIONS, ITEMS, QUERIES } from "./store/stream-store.js";

/** Keywords that the stream is matched against, and the posts that match, are shared by searches with the same ones. */
export const SHARED_QUERIES: SharedUse = {
  platform: "bluesky",
  collections: BLUESKY_COLLECTIONS,
  namesOf: ({ query }) => [digestOf(keywordsOf(query))],
  forget: async (store, names) => {
    const [queries, items] = [await store.collection(QUERIES), await store.collection(ITEMS)];
    return {
      [ITEMS.name]: await items.delete({ query: { in: names } }),
      [QUERIES.name]: await queries.delete({ id: { in: names } }),
    };
  },
};
