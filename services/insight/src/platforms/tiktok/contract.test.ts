import { TiktokUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { TIKTOK } from "./index.js";

const SECRET = "tiktok-client-secret";

interface Body {
  readonly data?: { readonly videos?: Record<string, unknown>[] };
}

describeConnector({
  module: TIKTOK,
  start: (now) => TiktokUpstream.start({ key: "demo-client", secret: SECRET, now }),
  env: ({ origin }) => ({ TIKTOK_CLIENT_KEY: "demo-client", TIKTOK_CLIENT_SECRET: SECRET, TIKTOK_BASE_URL: origin }),
  secret: SECRET,
  pageSize: 100,
  answers: {
    itemsOf: (body) => (body as Body).data?.videos ?? [],
    required: ["id", "create_time"],
    tokenPath: "/v2/oauth/token/",
  },
  rechecks: {
    termMs: 15 * 24 * 60 * 60_000,
    remove: ({ timeline }, id) => timeline.remove(id),
    change: ({ timeline }, id) => {
      timeline.edit(id, (video) => ({ ...video, text: "Edited, a kestrel still." }));
      return { text: "Edited, a kestrel still." };
    },
  },
});
