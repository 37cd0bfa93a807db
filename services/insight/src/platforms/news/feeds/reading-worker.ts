import { type FeedDocument, type FeedReading, NoFeedError, type NoFeedReason, readFeed } from "./read-feed.js";

/** What the thread answers: errors lose their class on the way. */
export type ThreadAnswer = { readonly reading: FeedReading } | { readonly noFeed: NoFeedReason };

/** Runs in the reading thread, called by name. */
export function read(document: FeedDocument): ThreadAnswer {
  try {
    return { reading: readFeed(document) };
  } catch (error) {
    if (error instanceof NoFeedError) return { noFeed: error.reason };
    throw error;
  }
}
