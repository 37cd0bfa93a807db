import { variable } from "@hourglass/runtime";
import { definePlatform, type PlatformModule } from "../connector.js";
import { addressOf } from "./api.js";
import type { StreamTimes } from "./jetstream.js";
import { SHARED_QUERIES } from "./store.js";

/** The variables of the platform bluesky. */
const blueskyVariables = {
  /** Where Jetstream sends the events of the network: a public instance, or one of your own. */
  BLUESKY_JETSTREAM_URL: variable.url("wss", "ws").default("wss://jetstream2.us-east.bsky.network/subscribe"),
};

/** Every step of a reading of the stream at which a crash must neither lose a posting nor return one twice. */
export const BLUESKY_FAILPOINTS = [
  "collector.bluesky.claimed",
  "collector.bluesky.matched",
  "collector.bluesky.stored",
] as const;

const POST = /^\/profile\/(did:[a-z]+:[A-Za-z0-9._:%-]+)\/post\/([^/]+)\/?$/;

/** Bluesky by Jetstream, which needs no account: ready on every server that has the platform. */
export const BLUESKY: PlatformModule = blueskyModule();

/** The platform, with other times of its connection if they are given. */
export function blueskyModule(given?: StreamTimes): PlatformModule {
  return definePlatform({
    name: "bluesky",
    variables: blueskyVariables,
    socialIdIn: ({ hostname, pathname }) => {
      const [, did, rkey] = (hostname === "bsky.app" && POST.exec(pathname)) || [];
      return did === undefined || rkey === undefined ? undefined : addressOf(did, decodeURIComponent(rkey));
    },
    shared: () => SHARED_QUERIES,
    open: async ({ store, log, claimMs, now }, { BLUESKY_JETSTREAM_URL: url }) => {
      const [{ BlueskyConnector }, { StreamStore }, { STREAM_TIMES: times }] = await Promise.all([
        import("./connector.js"),
        import("./store.js"),
        import("./jetstream.js"),
      ]);
      const streams = await StreamStore.open(store, { now, claimMs });
      return { connector: new BlueskyConnector(streams, { url, times: given ?? times, log, now }) };
    },
  });
}
