import { expect, it } from "vitest";
import { unknownVariables } from "./unknown-variables.js";

const meantBy = (variable: string) => unknownVariables({ [variable]: "x" })[0]?.meant;

it.each([
  ["NEWS_FEED", "NEWS_FEEDS"],
  ["PROT", "PORT"],
  ["RATE_LIMIT_PER_MINTUE", "RATE_LIMIT_PER_MINUTE"],
  ["RATE_LIMIT", "RATE_LIMIT_PER_MINUTE"],
  ["LINKEDIN_ORGANISATION", "LINKEDIN_ORGANISATIONS"],
  ["MONGODB_URI", "MONGODB_URL"],
  ["SIGNING_KEY_PASSPHRASE_FILES", "SIGNING_KEY_PASSPHRASE_FILE"],
  ["TWITTER_TOKEN", "TWITTER_BEARER_TOKEN"],
  ["TLS_CERT", "TLS_CERT_FILE"],
])("%s is unknown, and %s was meant", (variable, meant) => {
  expect(meantBy(variable)).toBe(meant);
});

it("is silent about what is known, empty, or belongs to other programs", () => {
  const others = "PATH HOME HOSTNAME USER LANG PWD SHLVL TERM NODE_OPTIONS NODE_VERSION NODE_PATH npm_config_cache _";
  const linked = "AUTH_PORT AUTH_SERVICE_HOST AUTH_PORT_50051_TCP_ADDR EXPORT_SERVICE_PORT MONGODB_SERVICE_HOST";
  const platforms =
    "OTEL_BSP_MAX_QUEUE_SIZE OTEL_LOG_LEVEL GRPC_VERBOSITY HF_HOME MONGO_PASSWORD KUBERNETES_PORT DATABASE_URL";
  const known = "PORT NEWS_FEEDS EXPORT_DAYS ADMIN_PASSWORD SERVICE_SECRET_FILE LINKEDIN_ORGANISATIONS";
  const names = [others, linked, platforms, known].flatMap((line) => line.split(" "));
  expect(unknownVariables({ ...Object.fromEntries(names.map((name) => [name, "x"])), NEWS_FEED: "" })).toEqual([]);
});
