import { variable } from "@hourglass/runtime";

/** The variables of the platform bluesky. */
export const blueskyVariables = {
  /** Where Jetstream sends the events of the network: a public instance, or one of your own. */
  BLUESKY_JETSTREAM_URL: variable.url("wss", "ws").default("wss://jetstream2.us-east.bsky.network/subscribe"),
};
