import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { readConfig, variablesOf, unknownVariables } from "./config.js";
import { defineSettings } from "./settings.js";
import { alsoSpelled, entries, integer, secret, text } from "./variables.js";

const SHARED = integer(1, 9, 3);
const toys = defineSettings(
  { TOYS_MAX: integer(0, 100, 10), TOY_KEY: secret(text(8).optional()), TOY_SIZE: SHARED },
  (values, { dataDir }) => ({ max: values.TOYS_MAX, size: values.TOY_SIZE, folder: `${dataDir}/toys` }),
);
const shelves = defineSettings({ SHELF_SIZE: integer(1, 9, 3), TOY_SIZE: SHARED }, (values) => values.TOY_SIZE);

async function fileWith(content: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-config-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, "key"), content);
  return path.join(folder, "key");
}

describe("readConfig", () => {
  it("lets each owner make its configuration of its variables and of those of the process", () => {
    const config = readConfig({ DATA_DIR: "/srv", TOYS_MAX: "5", TOY_SIZE: "7" }, { toys, shelves });
    expect(config).toMatchObject({ host: "127.0.0.1", toys: { max: 5, size: 7, folder: "/srv/toys" }, shelves: 7 });
  });

  it("names the bad variables of all owners and of the process in one line, without the values of secrets", () => {
    const env = { TOYS_MAX: "many", TOY_KEY: "far too long", LEASE_SECONDS: "0", SHELF_SIZE: "10" };
    expect(() => readConfig(env, { toys, shelves })).toThrow(
      "Wrong configuration: " +
        'LEASE_SECONDS is "0", allowed: a whole number from 1 to 600; ' +
        'TOYS_MAX is "many", allowed: a whole number from 0 to 100; ' +
        "TOY_KEY is (not shown), allowed: at most 8 characters; " +
        'SHELF_SIZE is "10", allowed: a whole number from 1 to 9',
    );
  });

  it("does not check the variables of owners that are not part of the process", () => {
    expect(readConfig({ TOYS_MAX: "many" }, { shelves }).shelves).toBe(3);
  });
});

describe("a secret", () => {
  const KEY = "TOY_KEY_FILE";

  it("comes from a file, without the line feed that ends it", async () => {
    const file = await fileWith("sesame\n");
    const { toys: read } = readConfig(
      { [KEY]: file },
      { toys: defineSettings(toys.variables, (values) => values.TOY_KEY) },
    );
    expect(read).toBe("sesame");
  });

  it("is refused with the name of its file where that cannot be read, is empty, or holds what is not allowed", async () => {
    const missing = "/nowhere/key";
    expect(() => readConfig({ [KEY]: missing }, { toys })).toThrow(
      `Wrong configuration: TOY_KEY_FILE is "${missing}", which cannot be read (ENOENT`,
    );
    const empty = await fileWith("\n");
    expect(() => readConfig({ [KEY]: empty }, { toys })).toThrow(`TOY_KEY_FILE is "${empty}", which is empty`);
    const long = await fileWith("far too long");
    expect(() => readConfig({ [KEY]: long }, { toys })).toThrow(
      `Wrong configuration: TOY_KEY in "${long}" is (not shown), allowed: at most 8 characters`,
    );
  });

  it("is given once", async () => {
    const both = { [KEY]: await fileWith("sesame"), TOY_KEY: "sesame" };
    expect(() => readConfig(both, { toys })).toThrow("TOY_KEY and TOY_KEY_FILE are both set, allowed: one of them");
  });

  it("alone has a variable for a file", () => {
    expect(readConfig({ TOYS_MAX_FILE: "/nowhere" }, { toys }).toys.max).toBe(10);
  });
});

describe("an earlier spelling of a variable", () => {
  const settings = defineSettings({ COLOR: alsoSpelled(text(8).default("red"), "COLOUR") }, (values) => values.COLOR);

  it("is accepted, unless it contradicts the present one", () => {
    expect(readConfig({ COLOUR: "blue" }, { settings }).settings).toBe("blue");
    expect(readConfig({ COLOUR: "blue", COLOR: "blue" }, { settings }).settings).toBe("blue");
    expect(() => readConfig({ COLOUR: "blue", COLOR: "green" }, { settings })).toThrow(
      "COLOR and COLOUR are both set, allowed: one of them",
    );
  });
});

describe("a variable with entries", () => {
  const LIST = entries((entry) => (entry === "" ? undefined : entry), "words", [], "none");
  const settings = defineSettings({ LIST }, (values) => values.LIST);

  it("may be an empty list, by default or as said", () => {
    expect(readConfig({}, { settings }).settings).toEqual([]);
    expect(readConfig({ LIST: "none" }, { settings }).settings).toEqual([]);
    expect(readConfig({ LIST: "a, b" }, { settings }).settings).toEqual(["a", "b"]);
  });
});

describe("variablesOf", () => {
  it("refuses two declarations of one variable", () => {
    const others = defineSettings({ TOYS_MAX: integer(0, 100, 10) }, () => undefined);
    expect(() => variablesOf({ toys, others })).toThrow("TOYS_MAX is declared twice");
    expect(() => variablesOf({ others: defineSettings({ HOST: z.string() }, () => undefined) })).toThrow("HOST");
  });
});

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
  const systems =
    "SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY NODE_EXTRA_CA_CERTS NODE_ENVS NODE_TLS_REJECT_UNAUTHORIZED " +
    "UV_THREADPOOL_SIZE OPENSSL_CONF NEW_RELIC_LICENSE_KEY SERVICE_NAME POSTGRES_URL REDIS_URL SYSTEMD_EXEC_PID LC_ALL LOGNAME " +
    "INVOCATION_ID JOURNAL_STREAM AWS_SECRET_ACCESS_KEY GITHUB_TOKEN REQUESTS_CA_BUNDLE HOSTTYPE SSH_AUTH_SOCK";
  const known = "PORT NEWS_FEEDS EXPORT_DAYS ADMIN_PASSWORD SERVICE_SECRET_FILE LINKEDIN_ORGANISATIONS";
  const names = [others, linked, platforms, systems, known].flatMap((line) => line.split(" "));
  expect(unknownVariables({ ...Object.fromEntries(names.map((name) => [name, "x"])), NEWS_FEED: "" })).toEqual([]);
});
