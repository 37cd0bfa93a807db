// Reads the rendered manifests to check, with libraries of a folder outside the repository.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

export const ROOT = path.resolve(import.meta.dirname, "../../..");

/** The parser of a package `yaml` installed under `tools`. */
export async function yamlOf(tools) {
  return import(pathToFileURL(path.join(tools, "node_modules/yaml/dist/index.js")).href).then(
    (module) => module.default,
  );
}

/** All objects of a file of manifests. Throws for invalid YAML and duplicate keys. */
export async function objectsOf(tools, file) {
  const yaml = await yamlOf(tools);
  return yaml.parseAllDocuments(fs.readFileSync(file, "utf8")).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0].message}`);
    const object = document.toJS();
    return object === null ? [] : [object];
  });
}

export const nameOf = (object) => `${object.kind}/${object.metadata?.name}`;

/** Prints the problems, one per line; exits with 1 if there are any. */
export function finish(what, problems) {
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.stdout.write(problems.length === 0 ? `${what}: nothing wrong\n` : `${what}: ${problems.length} wrong\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
