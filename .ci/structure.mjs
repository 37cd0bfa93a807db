// Checks what the compiler, eslint and dependency-cruiser cannot: names, the top level, the lock file. Prints one line per
// violation and exits with 1 if there is one.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
const SKIPPED = new Set(["node_modules", "dist", "vendor", "gen"]);

/** The allowed top-level entries; a new one requires a decision. */
const TOP_LEVEL = new Set(
  `proto services gateway test docs .ci .github
  README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE package.json package-lock.json .npmrc docker-compose.yml
  buf.yaml buf.gen.yaml tsconfig.json tsconfig.base.json vitest.config.ts
  eslint.config.js .dependency-cruiser.cjs .prettierrc .prettierignore .editorconfig
  .gitignore .gitattributes .dockerignore`.split(/\s+/),
);
/** Generic names that would attract unrelated code. */
const CUPBOARD = /^(utils?|helpers?|common|shared|libs?|misc|stuff|tools)$/i;
const ENVIRONMENT_READERS_MAX = 4;
/** Tests, and the demo, which passes its environment on to the product. */
const NO_PRODUCT = /^(test|services\/demo)\/|\.test\.ts$|\/testing\//;
const README_LINES_MAX = 150;

const read = (name) => fs.readFileSync(path.join(ROOT, name), "utf8");

function* filesBelow(folder) {
  for (const entry of fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield name;
    else if (!SKIPPED.has(entry.name)) yield* filesBelow(name);
  }
}

const files = ["proto", "services", "gateway", "test"].flatMap((folder) => [...filesBelow(folder)]);

/** Only committed and staged entries: developers keep their own files next to them. */
function topLevel() {
  const tracked = spawnSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 26 });
  const names = new Set((tracked.stdout ?? "").split("\n").map((name) => name.split("/")[0]));
  return [...names]
    .filter((name) => name !== "" && !TOP_LEVEL.has(name))
    .map((name) => `${name}: does not belong at the top level`);
}

function names() {
  const source = files.filter((file) => file.endsWith(".ts"));
  const cupboards = source.filter((file) => file.split("/").some((part) => CUPBOARD.test(part.replace(/\..*$/, ""))));
  const spelled = source.filter(
    (file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d|\.config)?\.ts$/.test(path.basename(file)),
  );
  return [
    ...cupboards.map((file) => `${file}: name the concept; a cupboard only grows`),
    ...spelled.map((file) => `${file}: file names are kebab-case`),
  ];
}

function environment() {
  const readers = files
    .filter((file) => file.endsWith(".ts") && !NO_PRODUCT.test(file))
    .filter((file) => /\bprocess\.env\b/.test(read(file)));
  if (readers.length <= ENVIRONMENT_READERS_MAX) return [];
  return [`process.env is read in ${readers.length} files, ${ENVIRONMENT_READERS_MAX} at most: ${readers.join(", ")}`];
}

function readme() {
  const lines = read("README.md").split("\n").length;
  return lines > README_LINES_MAX ? [`README.md: ${lines} lines, ${README_LINES_MAX} at most`] : [];
}

/**
 * The install script of onnxruntime-node downloads graphics card libraries that the product does not use, and fails if
 * that host is unreachable. For npm 11, `allowScripts` in package.json disables it; npm 10 knows a script only by this
 * line of the lock.
 */
const DOWNLOADS = 'package-lock.json: delete "hasInstallScript" of onnxruntime-node again, npm put it back';

/** npm drops entries that the machine writing the lock did not need; `npm ci` then fails on every other machine. */
function lockFile() {
  const { packages } = JSON.parse(read("package-lock.json"));
  const present = new Set(Object.keys(packages).map((name) => name.split("node_modules/").at(-1)));
  return Object.entries(packages).flatMap(([name, entry]) => {
    const missing = Object.keys(entry.optionalDependencies ?? {}).filter((wanted) => !present.has(wanted));
    const ours = !name.includes("node_modules/") || entry.link;
    return [
      ...missing.map((wanted) => `package-lock.json: ${name} wants ${wanted}, which is not locked`),
      ...(ours || entry.integrity ? [] : [`package-lock.json: ${name} has no checksum`]),
      ...(ours || !entry.resolved ? [] : [`package-lock.json: ${name} names a registry (see .npmrc)`]),
      ...(name.endsWith("node_modules/onnxruntime-node") && entry.hasInstallScript ? [DOWNLOADS] : []),
    ];
  });
}

const problems = [topLevel, names, environment, readme, lockFile].flatMap((check) => check());
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
