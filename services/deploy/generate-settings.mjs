// Writes what is made of the settings that the code declares; run by `npm run generate:settings`, after a build:
//   - the names of all variables, by which a process recognizes a misspelled one (services/runtime/src/config/variable-names.ts)
//   - the variables that docker-compose.yml passes on to each process
// With --check it writes nothing, names the files that are out of date, and exits with 1 if there are any.
import fs from "node:fs";
import path from "node:path";
import { namesOf, PROCESS_VARIABLES, variablesOf } from "@hourglass/runtime";
import { PROCESS_SETTINGS } from "@hourglass/standalone/config";

const ROOT = path.resolve(import.meta.dirname, "../..");
const NAMES_FILE = "services/runtime/src/config/variable-names.ts";
const COMPOSE_FILE = "docker-compose.yml";

/** What docker-compose.yml gives by itself: what only one container has, and the secrets that it mounts into some as files. */
const OF_CONTAINERS = ["HOST", "DATA_DIR", "NODE_ENV", "FAILPOINTS", "REVISION"];
const MOUNTED = ["MONGODB_URL", "AMQP_URL", "SERVICE_SECRET", "SIGNING_KEY_PASSPHRASE", "BOOTSTRAP_PASSWORD"];
const GIVEN = new Set([...OF_CONTAINERS, ...MOUNTED].flatMap((name) => [name, `${name}_FILE`]));

/** A block for each owner of settings, and one for those of every process; each process merges those that it reads. */
function composeBlocks() {
  const owners = Object.assign({}, ...Object.values(PROCESS_SETTINGS));
  const blocks = Object.entries({ process: { variables: PROCESS_VARIABLES }, ...owners });
  return blocks.map(([owner, { variables }]) => {
    const names = namesOf(variables).filter((name) => !GIVEN.has(name));
    return [`x-${owner}: &${owner}`, ...names.map((name) => `  ${name}: \${${name}:-}`)].join("\n");
  });
}

const BEGIN =
  "# Generated from the settings in the code by `npm run generate:settings`: a block for each part of them.\n";
const END = "# End of the generated settings.\n";

function compose(present) {
  const [before, rest] = present.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${BEGIN}${composeBlocks().join("\n\n")}\n${after}`;
}

function variableNames() {
  const names = new Set(Object.values(PROCESS_SETTINGS).flatMap((owners) => namesOf(variablesOf(owners))));
  const lines = [...names].sort().map((name) => `  "${name}",`);
  return [
    "// Generated from the settings in the code by `npm run generate:settings`.",
    "",
    "/** The names of all variables that some process of the product reads. */",
    "export const VARIABLE_NAMES: readonly string[] = [",
    ...lines,
    "];",
    "",
  ].join("\n");
}

const read = (file) => fs.readFileSync(path.join(ROOT, file), "utf8");
const made = { [NAMES_FILE]: variableNames(), [COMPOSE_FILE]: compose(read(COMPOSE_FILE)) };
const changed = Object.entries(made).filter(
  ([file, text]) => !fs.existsSync(path.join(ROOT, file)) || read(file) !== text,
);
if (process.argv.includes("--check")) {
  for (const [file] of changed) process.stdout.write(`${file} is out of date: run npm run generate:settings\n`);
  process.exitCode = changed.length > 0 ? 1 : 0;
} else {
  for (const [file, text] of changed) fs.writeFileSync(path.join(ROOT, file), text);
}
