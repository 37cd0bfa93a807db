import { DEMO_ORGANIZATION, LinkedinUpstream } from "@hourglass/demo";
import { describeConnector } from "../testing/connector-contract.js";
import { LINKEDIN } from "./index.js";

const TOKEN = "AQX-secret-token";

describeConnector({
  module: LINKEDIN,
  start: (now) => LinkedinUpstream.start({ token: TOKEN, now }),
  env: ({ origin }) => ({
    LINKEDIN_ACCESS_TOKEN: TOKEN,
    LINKEDIN_ORGANIZATIONS: DEMO_ORGANIZATION.id,
    LINKEDIN_BASE_URL: origin,
    LINKEDIN_SIGN_IN_URL: origin,
    LINKEDIN_REQUESTS_PER_DAY: "100000",
  }),
  secret: TOKEN,
  pageSize: 40,
  answers: {
    itemsOf: (body) => (body as { elements?: Record<string, unknown>[] }).elements ?? [],
    required: ["id", "createdAt"],
  },
});
