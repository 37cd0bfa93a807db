import { definePlatform, type PlatformModule } from "../connector.js";
import { blueskyVariables } from "./config.js";
import { addressOf } from "./posting/event.js";
import { SHARED_QUERIES } from "./shared-queries.js";
import type { StreamTimes } from "./stream/read-frames.js";

export { BLUESKY_FAILPOINTS } from "./failpoints.js";

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
      const [{ createBlueskyConnector }, { StreamStore }, { STREAM_TIMES: times }] = await Promise.all([
        import("./connector.js"),
        import("./store/stream-store.js"),
        import("./stream/read-frames.js"),
      ]);
      const streams = await StreamStore.open(store, { now, claimMs });
      return { connector: createBlueskyConnector({ streams, url, times: given ?? times, log, now }) };
    },
  });
}
