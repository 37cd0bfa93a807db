import { JetstreamUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { blueskyModule } from "./index.js";

const BROKEN_OFF = { status: "failing", sentence: /broke off.*again/ } as const;

/** The fake is lively, so that silence decides nothing. */
const TIMES = { connectMs: 1000, quietMs: 60_000 };

describeConnector({
  module: blueskyModule(TIMES),
  start: (now) => JetstreamUpstream.start({ now }),
  env: ({ url }) => ({ BLUESKY_JETSTREAM_URL: url }),
  pageSize: 100,
  faults: {
    "a redirect to a sign-in page": { status: "failing", sentence: /redirect/ },
    "an empty answer": BROKEN_OFF,
    "a connection that is cut": BROKEN_OFF,
    // A stream has no length: what it has not sent yet is to come.
    "half of the answer": null,
    "an answer that stops": null,
  },
});
