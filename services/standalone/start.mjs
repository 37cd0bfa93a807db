// Makes a fresh clone runnable with nothing but Node and npm: installs, builds, then becomes the server.
//
//   start.mjs              install and build what is missing, then run everything in this process
//   start.mjs build        stop after the build
//   start.mjs admin ARGS   run the administration command
//   start.mjs models ARGS  list, download or check the models of Hugging Face
//   start.mjs demo ARGS    run everything on invented postings (services/demo)
//
// Written in plain JavaScript without dependencies, since it runs before there are any. It prints only
// to stderr: the output of an administration command must stay usable in a pipe.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const ROOT = path.resolve(HERE, "../..");
const LOCK = path.join(HERE, ".start-lock");
/** What a build makes last. */
const BUILT = path.join(HERE, "dist/bundle/serve.js");
/** A holder of the lock touches it every second; one this silent is gone, though its process id may live on in another process. */
const LOCK_SILENCE_MS = 30_000;

/** A failure that needs no stack: the message has the remedy. */
class StartError extends Error {}

const say = (line) => process.stderr.write(`${line}\n`);
const at = (...parts) => path.join(ROOT, ...parts);
const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function checkNode() {
  const wanted = readJson(at("package.json")).engines.node.replace(/^>=/, "");
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    throw new StartError(`Hourglass needs Node ${wanted} or newer; this is Node ${process.versions.node}.`);
  }
}

/** Whether node_modules holds what package-lock.json asks for, by npm's own record of what it installed. */
function isInstalled() {
  const wanted = readJson(at("package-lock.json")).packages;
  let present;
  try {
    present = readJson(at("node_modules/.package-lock.json")).packages;
  } catch {
    return false; // no record: never installed, or an install was interrupted
  }
  return Object.entries(wanted).every(([name, entry]) => {
    if (!name.startsWith("node_modules/") || entry.link) return true;
    const found = present[name];
    if (!found) return Boolean(entry.optional || entry.devOptional); // made for another platform
    return found.version === entry.version;
  });
}

/** Links packages of this repository that came after the install: npm would reinstall everything for that. */
function linkPackages() {
  for (const [name, entry] of Object.entries(readJson(at("package-lock.json")).packages)) {
    if (!entry.link || fs.existsSync(at(name))) continue;
    fs.mkdirSync(path.dirname(at(name)), { recursive: true });
    fs.rmSync(at(name), { force: true });
    fs.symlinkSync(path.relative(path.dirname(at(name)), at(entry.resolved)), at(name), "junction");
  }
}

function* sourcesBelow(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name.startsWith(".")) continue;
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesBelow(full);
    else if (/\.(tsx?|css|html)$|^(tsconfig|package).*\.json$|^bundle\.mjs$/.test(entry.name)) yield full;
  }
}

/** Whether the bundles are newer than all that they are made of. `tsc -b` finds out what changed too, but takes longer. */
function isBuilt() {
  const projects = readJson(at("tsconfig.json")).references.map((reference) => at(reference.path));
  const compiled = projects.map((project) => buildInfoOf(project));
  const top = ["package-lock.json", "tsconfig.json", "tsconfig.base.json"].map((name) => at(name));
  const below = ["proto", "services", "gateway", "test"].flatMap((folder) => [...sourcesBelow(at(folder))]);
  const changedAt = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  const builtAt = changedAt(BUILT) ?? 0;
  return [...compiled, ...top, ...below].every((file) => (changedAt(file) ?? Infinity) <= builtAt);
}

/** The file that a build of a project writes last. */
function buildInfoOf(project) {
  return path.resolve(project, readJson(path.join(project, "tsconfig.json")).compilerOptions.tsBuildInfoFile);
}

let child;

/** A sign of life this often, in milliseconds. */
const STILL_MS = 15_000;

/** Runs Node with these arguments to its end, all output to stderr, and says every 15 s that it is still at it. */
async function runNode(args, { doing, failure }) {
  const started = Date.now();
  const still = setInterval(() => say(`… still ${doing} (${Math.round((Date.now() - started) / 1000)} s)`), STILL_MS);
  child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  }).finally(() => clearInterval(still));
  child = undefined;
  if (code !== 0) throw new StartError(failure);
}

/** npm's own script: what started us when this is `npm start`, else the one that came with this Node. */
function npmScript() {
  const bin = path.dirname(process.execPath);
  const places = [
    process.env.npm_execpath ?? "",
    path.join(bin, "../lib/node_modules/npm/bin/npm-cli.js"),
    path.join(bin, "node_modules/npm/bin/npm-cli.js"),
  ];
  const found = places.find((place) => place.endsWith("npm-cli.js") && fs.existsSync(place));
  if (!found) throw new StartError("Dependencies are missing and npm was not found: run `npm ci`, then try again.");
  return found;
}

async function install() {
  say("Installing dependencies; the first time this takes a minute or two …");
  // --include=dev: the compiler is needed even where NODE_ENV=production.
  const args = [npmScript(), "ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  await runNode(args, { doing: "installing", failure: "Installing the dependencies failed; npm says above why." });
}

async function build() {
  say("Building; the first time this takes a minute …");
  const steps = [
    [[at("node_modules/typescript/bin/tsc"), "-b"], "The build failed; the compiler says above why."],
    [[at("gateway/console/bundle.mjs")], "The build of the console failed; above it says why."],
    [[path.join(HERE, "bundle.mjs")], "The build failed; the bundler says above why."],
  ];
  for (const [args, failure] of steps) await runNode(args, { doing: "building", failure });
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (err) {
    return err.code === "EPERM";
  }
}

/** Moves an abandoned lock out of the way. By rename, so that of two that try only one succeeds. */
function removeStaleLock() {
  try {
    const silentMs = Date.now() - fs.statSync(LOCK).mtimeMs;
    const owner = fs.readFileSync(LOCK, "utf8");
    // Empty: made this instant, its owner not yet written.
    if (silentMs < LOCK_SILENCE_MS && (owner === "" || isAlive(Number(owner)))) return;
    const aside = `${LOCK}-${process.pid}`;
    fs.renameSync(LOCK, aside);
    fs.rmSync(aside);
  } catch (err) {
    if (err.code !== "ENOENT") throw err; // gone already
  }
}

/** Runs `work` while no other start does: two installs into one folder destroy each other. */
async function alone(work) {
  for (let waited = false; ; waited = true) {
    removeStaleLock();
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: "wx" });
      break;
    } catch (err) {
      if (err.code !== "EEXIST") throw err;
    }
    if (!waited) say("Another start is installing or building here; waiting for it …");
    await sleep(300);
  }
  const heartbeat = setInterval(() => fs.utimesSync(LOCK, new Date(), new Date()), 1000);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    fs.rmSync(LOCK, { force: true });
  }
}

async function prepare() {
  if (isInstalled() && isBuilt()) return;
  const stop = (signal) => {
    const end = () => {
      fs.rmSync(LOCK, { force: true });
      process.exit(signal === "SIGINT" ? 130 : 143);
    };
    // npm reverts an unfinished install before it ends; until then no other start may begin one.
    if (child) child.once("close", end).kill(signal);
    else end();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await alone(async () => {
    // Asked again: the one we waited for may have done the work.
    if (!isInstalled()) await install();
    linkPackages();
    if (!isBuilt()) await build();
  });
  process.off("SIGINT", stop).off("SIGTERM", stop);
}

/**
 * Under `npm start`, npm passes SIGTERM on to the shell that it started us by. Some shells die of it and leave us behind
 * (`exec` would prevent that, but cmd.exe has none): what runs here then ends as if the signal had come here.
 */
function endWithShell() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === "win32") return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 100);
  watch.unref();
  // After Ctrl-C, which reaches all of us, a second signal would cut short what the first began.
  const onSignal = (signal) => {
    clearInterval(watch);
    if (process.listenerCount(signal) === 0) process.exit(signal === "SIGINT" ? 130 : 143);
  };
  process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
}

/** Hands this process over, so that signals reach the program and not a parent of it. */
async function become(entry, args) {
  if (!fs.existsSync(entry)) throw new StartError(`${path.relative(ROOT, entry)} is missing after the build.`);
  process.argv = [process.execPath, entry, ...args];
  await import(pathToFileURL(entry).href);
}

const HELP = `npm start                    installs and builds what is missing, then serves everything on http://127.0.0.1:8080
npm run demo                 the same on invented postings, with a user to sign in
npm run -s admin             lists the commands for users, companies, jobs and backups
npm run -s models -- list    lists the models that can be downloaded

Settings are environment variables, among them PORT, DATA_DIR, BOOTSTRAP_EMAIL and BOOTSTRAP_PASSWORD:
docs/configuration.md has them all. README.md has a first request.`;

async function main([command, ...args]) {
  checkNode();
  if (["--help", "-h", "help"].includes(command)) {
    process.stdout.write(`${HELP}\n`);
    return;
  }
  if (command !== undefined && !["build", "admin", "models", "demo"].includes(command)) {
    throw new StartError(
      `Unknown command ${JSON.stringify(command)}: start.mjs takes none, build, admin, models or demo.`,
    );
  }
  endWithShell();
  await prepare();
  if (command === "admin") await become(path.join(HERE, "dist/admin/main.js"), args);
  else if (command === "models") await become(path.join(HERE, "dist/admin/main.js"), ["models", ...args]);
  else if (command === "demo") await become(at("services/demo/dist/main.js"), args);
  else if (command === undefined) await become(path.join(HERE, "dist/main.js"), []);
}

try {
  await main(process.argv.slice(2));
} catch (err) {
  if (!(err instanceof StartError)) throw err;
  say(err.message);
  process.exitCode = 1;
}
