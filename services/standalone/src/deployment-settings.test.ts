import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { namesOf, variablesOf } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { PROCESS_SETTINGS } from "./config.js";

const compose = readFileSync(new URL("../../../docker-compose.yml", import.meta.url), "utf8");

/** Variables that the image gives, or that only tests set. */
const OF_THE_IMAGE = ["NODE_ENV", "REVISION", "FAILPOINTS"];
/** Secrets that are mounted as files: as variables, whoever may inspect a container would see them. */
const MOUNTED = ["MONGODB_URL", "AMQP_URL", "SERVICE_SECRET", "SIGNING_KEY_PASSPHRASE", "BOOTSTRAP_PASSWORD"];
/** Processes that are left without the secrets of what they do not use. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  gateway: ["MONGODB_URL", "AMQP_URL", "SERVICE_SECRET"],
  auth: ["AMQP_URL"],
  media: ["SERVICE_SECRET"],
  insight: ["SERVICE_SECRET"],
  admin: ["BOOTSTRAP_PASSWORD"],
};

/** Variables of the block of an anchor, such as `x-auth: &auth`. */
function namesIn(anchor: string): string[] {
  const [, block = ""] = compose.split(`: &${anchor}\n`);
  return (block.split(/\n(?=\S)/)[0] ?? "").match(/^ {2}[A-Z]\w*(?=:)/gm)?.map((name) => name.trim()) ?? [];
}

/** Variables that a service passes to its process, those of the blocks that it merges included. */
function environmentOf(service: string): Set<string> {
  const [, text = ""] = compose.split(`\n  ${service}:\n`);
  const [, environment = ""] = (text.split(/\n {2}\w/)[0] ?? "").split("    environment:\n");
  const merged = /<<:\s*(\[[^\]]*\]|\S+)/.exec(environment)?.[1]?.match(/[\w-]+/g) ?? [];
  const own = environment.match(/^ {6}[A-Z]\w*(?=:)/gm)?.map((name) => name.trim()) ?? [];
  return new Set([...merged.flatMap(namesIn), ...own]);
}

it.each(Object.keys(PROCESS_SETTINGS))("docker-compose.yml passes every variable that %s reads on to it", (name) => {
  const read = namesOf(variablesOf(PROCESS_SETTINGS[name]!));
  const left = [...OF_THE_IMAGE, ...MOUNTED, ...(UNUSED[name] ?? []).map((each) => `${each}_FILE`)];
  const passed = environmentOf(name);
  expect(read.filter((variable) => !passed.has(variable) && !left.includes(variable))).toEqual([]);
  expect([...passed].filter((variable) => !read.includes(variable))).toEqual([]);
  expect([...passed].filter((variable) => left.includes(variable))).toEqual([]);
});

it("what is generated from the settings is up to date: npm run generate:settings", () => {
  const script = fileURLToPath(new URL("../../deploy/generate-settings.mjs", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

it("the chart takes every secret from a secret, and none among its values", () => {
  const file = new URL("../../deploy/values.schema.json", import.meta.url);
  const { properties, definitions } = JSON.parse(readFileSync(file, "utf8")) as ChartSchema;
  const own =
    "MONGODB_URL AMQP_URL SIGNING_KEY_PASSPHRASE SERVICE_SECRET BOOTSTRAP_PASSWORD OTEL_EXPORTER_OTLP_HEADERS";
  const variables = Object.values(PROCESS_SETTINGS).map((owners) => variablesOf(owners));
  const declared = new Set(variables.flatMap((each) => Object.keys(each)));
  const names = new Set(variables.flatMap((each) => namesOf(each)));
  const secrets = [...declared].filter((name) => names.has(`${name}_FILE`));
  expect([...properties.secretEnv.propertyNames.enum, ...own.split(" ")].sort()).toEqual(secrets.sort());
  expect(definitions.env.propertyNames.not.enum).toEqual(expect.arrayContaining(secrets));
});

interface ChartSchema {
  properties: { secretEnv: { propertyNames: { enum: string[] } } };
  definitions: { env: { propertyNames: { not: { enum: string[] } } } };
}
