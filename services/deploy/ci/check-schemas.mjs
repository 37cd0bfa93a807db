// Validates every rendered object against the schema of Kubernetes, or of the operator that owns its kind, without a network:
//   node check-schemas.mjs TOOLS MANIFESTS.yaml…
// Both checks are needed: the validators of kubernetes-models check patterns and required fields but accept unknown ones,
// which the compiler rejects.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { finish, nameOf, objectsOf } from "./objects.mjs";

/** The package with the kinds of an API group; kubernetes-models for those not listed. */
const OPERATORS = {
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
  "keda.sh": "@kubernetes-models/keda",
  "cert-manager.io": "@kubernetes-models/cert-manager",
};

function moduleOf({ apiVersion, kind }) {
  const found = OPERATORS[String(apiVersion).split("/")[0]] ?? "kubernetes-models";
  return `${found}/${apiVersion}/${kind}`;
}

async function invalid(tools, file, object) {
  const where = `${path.basename(file)}: ${nameOf(object)}`;
  try {
    const module = path.join(tools, "node_modules", `${moduleOf(object)}.js`);
    const models = await import(pathToFileURL(module).href);
    new models[object.kind](object).validate();
    return [];
  } catch (error) {
    return [`${where}: ${error.message}`];
  }
}

/** A file for the compiler, in which every object is a literal of its type. */
function sourceOf(objects) {
  const lines = objects.flatMap(({ file, object }, index) => {
    // The constructors set these two, and their types reject them.
    const rest = { ...object, apiVersion: undefined, kind: undefined };
    return [
      `import { ${object.kind} as K${index} } from ${JSON.stringify(moduleOf(object))};`,
      `/* ${path.basename(file)}: ${nameOf(object)} */ new K${index}(${JSON.stringify(rest, null, 1)});`,
    ];
  });
  return lines.join("\n");
}

function unknownFields(tools, objects) {
  const name = path.join(tools, "manifests.ts");
  fs.writeFileSync(name, sourceOf(objects));
  const compiler = path.join(tools, "node_modules/typescript/bin/tsc");
  const options = "--noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext --target es2022";
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, ...options.split(" "), name], {
    cwd: tools,
    encoding: "utf8",
  });
  if (status === 0) return [];
  return [`${stdout}${stderr}`.trim() || `the compiler ended with ${status}`];
}

const [tools, ...files] = process.argv.slice(2);
const loaded = await Promise.all(
  files.map(async (file) => (await objectsOf(tools, file)).map((object) => ({ file, object }))),
);
const objects = loaded.flat();
const problems = await Promise.all(objects.map(({ file, object }) => invalid(tools, file, object)));
finish(`${objects.length} objects by their schemas`, [...problems.flat(), ...unknownFields(tools, objects)]);
