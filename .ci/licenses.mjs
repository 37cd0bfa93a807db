// Fails if a package that ships with the product has a license that is not on the allowed list.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "..");
const ALLOWED = new Set(["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "0BSD"]);

/** Prefixes of package names → their stated licenses. The reason for accepting each is beside it. */
const EXCEPTIONS = [
  // A library that sharp loads at run time, unmodified and replaceable, as the LGPL requires.
  { name: "@img/sharp-libvips-", license: "LGPL-3.0-or-later" },
  // Separate programs that are only called, and optional: FFMPEG_PATH or an ffmpeg on the PATH replaces them.
  { name: "@ffmpeg-installer/ffmpeg", license: "LGPL-2.1" },
  { name: "@ffmpeg-installer/", license: "GPLv3" },
];

function isException(name, license) {
  return EXCEPTIONS.some((exception) => name.startsWith(exception.name) && license === exception.license);
}

/** `(MIT OR GPL-3.0)` is a choice; for `MIT AND X` both must be allowed. */
function isAllowed(license) {
  const plain = license.replace(/[()]/g, "");
  return plain.split(/ OR /).some((choice) => choice.split(/ AND /).every((part) => ALLOWED.has(part.trim())));
}

function statedLicense(manifest) {
  const stated = manifest.license ?? manifest.licenses?.[0];
  return typeof stated === "string" ? stated : (stated?.type ?? "none stated");
}

/** Folders of the packages that a production install contains, one per line. */
function productionFolders() {
  const lines = execFileSync("npm", ["ls", "--omit=dev", "--all", "--parseable"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return lines
    .split("\n")
    .filter((folder) => folder.includes("node_modules") && !fs.lstatSync(folder).isSymbolicLink());
}

let count = 0;
const problems = [];
for (const folder of productionFolders()) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  if (manifest.name.startsWith("@hourglass/")) continue;
  count += 1;
  const license = statedLicense(manifest);
  if (isAllowed(license) || isException(manifest.name, license)) continue;
  problems.push(`${manifest.name}@${manifest.version}: ${license}`);
}

for (const problem of problems) process.stdout.write(`License not allowed: ${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`Licenses of ${count} production packages are allowed.\n`);
