import { DEMO_PAGE } from "@hourglass/demo";
import { startMetaPart } from "../testing/meta-part.js";
import { describeConnector } from "../testing/connector-contract.js";
import { FACEBOOK } from "./index.js";

const TOKEN = "EAAB-secret-token";

describeConnector({
  module: FACEBOOK,
  start: (now) => startMetaPart("facebook", { token: TOKEN, appSecret: "hidden", now }),
  env: ({ origin }) => ({
    FACEBOOK_ACCESS_TOKEN: TOKEN,
    FACEBOOK_APP_SECRET: "hidden",
    FACEBOOK_PAGES: DEMO_PAGE.username,
    FACEBOOK_BASE_URL: origin,
    FACEBOOK_REQUESTS_PER_HOUR: "100000",
  }),
  secret: TOKEN,
  pageSize: 25,
  answers: {
    itemsOf: (body) => (body as { data?: Record<string, unknown>[] }).data ?? [],
    required: ["id", "created_time"],
  },
  rechecks: {
    termMs: 30 * 24 * 60 * 60_000,
    remove: (upstream, id) => upstream.remove(id),
    change: (upstream, id) => {
      upstream.edit(id, "Edited, a kestrel still.");
      return { text: "Edited, a kestrel still." };
    },
  },
});
