import { DEMO_ACCOUNT } from "@hourglass/demo";
import { startMetaPart } from "../testing/meta-part.js";
import { describeConnector } from "../testing/connector-contract.js";
import { INSTAGRAM } from "./index.js";

const TOKEN = "EAAB-secret-token";

/** Each posting is found twice: with its account, which is read first, and by its hashtag. */
describeConnector({
  module: INSTAGRAM,
  start: (now) => startMetaPart("instagram", { token: TOKEN, userId: "17", now }),
  env: ({ origin }) => ({
    INSTAGRAM_ACCESS_TOKEN: TOKEN,
    INSTAGRAM_USER_ID: "17",
    INSTAGRAM_ACCOUNTS: DEMO_ACCOUNT.username,
    INSTAGRAM_BASE_URL: origin,
    INSTAGRAM_REQUESTS_PER_HOUR: "100000",
  }),
  secret: TOKEN,
  pageSize: 50,
  answers: {
    itemsOf: (body) => (body as Answer).business_discovery?.media?.data ?? [],
    required: ["id", "timestamp"],
  },
});

interface Answer {
  business_discovery?: { media?: { data?: Record<string, unknown>[] } };
}
