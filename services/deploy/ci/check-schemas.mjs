// Holds every rendered object to the schema of Kubernetes, or of the operator that owns its kind, without a network:
//   node check-schemas.mjs TOOLS MANIFESTS.yaml…
// Twice, since each way misses something: the validators of kubernetes-models know patterns and required fields but take
// unknown ones; the compiler knows unknown ones.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { finish, nameOf, objectsOf } from "./objects.mjs";

/** Whose package knows the kinds of an API group; Kubernetes' own unless named. */
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

/** One file for the compiler, in which every object is the literal of its type. */
function sourceOf(objects) {
  const lines = objects.flatMap(({ file, object }, index) => {
    // The constructors add these two themselves, and their types refuse them.
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
