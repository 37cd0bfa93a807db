// The facts of the repository that its deployment must match: entry files, variables, metrics.
import fs from "node:fs";
import path from "node:path";
import { ROOT } from "./objects.mjs";

const read = (name) => fs.readFileSync(path.join(ROOT, name), "utf8");

/** Every name of a variable that some process reads; tests of the product compare the list with the code and its page. */
const NAMES = new Set(read("services/runtime/src/config/variable-names.ts").match(/[A-Z][A-Z0-9_]+(?=")/g));

export const knownVariables = () => NAMES;

/** Whether a variable must come from a secret: those can come from a file, too. */
export const isSecret = (variable) => NAMES.has(`${variable}_FILE`);

/** What workers can be configured to do: the roles that services export, each from its `roles.ts`. */
export function workerRoles() {
  const sources = [...sourcesBelow("services")].filter((file) => path.basename(file) === "roles.ts");
  return sources.flatMap((file) => [...read(file).matchAll(/role: "([a-z]+\.[a-z]+)"/g)].map(([, role]) => role));
}

/** Names of all queues in the contract. */
export function queueNames() {
  const options = read("proto/hourglass/job/v1/job.proto").matchAll(/\.queues\) = "([a-z.]+)"/g);
  return [...options].map(([, name]) => name);
}

/** Whether a command such as [node, gateway/dist/server.js] has a source that compiles to it. */
export function hasSource([program, entry = ""]) {
  const source = entry.replace("/dist/", "/src/").replace(/\.js$/, ".ts");
  return program === "node" && entry.includes("/dist/") && fs.existsSync(path.join(ROOT, source));
}

function* sourcesBelow(folder) {
  for (const entry of fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== "dist") yield* sourcesBelow(name);
    else if (name.endsWith(".ts") && !name.endsWith(".test.ts")) yield name;
  }
}

/** Names of all metrics that the product's code registers. */
export function metrics() {
  const sources = ["services", "gateway"].flatMap((folder) => [...sourcesBelow(folder)]);
  return new Set(sources.flatMap((file) => read(file).match(/\bhourglass_[a-z_]+/g) ?? []));
}

/** Names of the metrics in a text of queries, without histogram suffixes. */
export function metricsIn(text) {
  const names = text.match(/\bhourglass_[a-z_]+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, "")))];
}
