import { MastodonUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { MASTODON } from "./index.js";

const CLOSED = { status: "auth_failed", sentence: /to people only who have signed in.*another server/ } as const;

describeConnector({
  module: MASTODON,
  start: (now) => MastodonUpstream.start({ now }),
  env: ({ origin }) => ({ MASTODON_SERVERS: origin, MASTODON_REQUESTS_PER_MINUTE: "10000" }),
  pageSize: 40,
  faults: { "credentials that are rejected": CLOSED, "an app without the permission": CLOSED },
  answers: { itemsOf: (body) => body as Record<string, unknown>[], required: ["uri", "created_at"] },
});
