// For whoever changes the code: builds what changed, restarts the server, and the console in the browser loads itself again.
//
//   npm run dev        with the variables of `npm start`, such as PORT and DATA_DIR
//
// A build that fails leaves the server as it was. Generated files (CONTRIBUTING.md) are not made again, and tests not run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");
const IS_WINDOWS = process.platform === "win32";
const TSC = path.join(ROOT, "node_modules/.bin/tsc");
const CONSOLE = "gateway/console";
const SITE = path.join(ROOT, CONSOLE, "dist/site");
/** The console that takes its place at the next start of the server. */
const NEXT_SITE = path.join(ROOT, CONSOLE, "dist/next-site");
/** What `npm start` looks at to find out whether all is built. Without it, it makes the console again, which here reloads itself. */
const BUILT = path.join(ROOT, "services/standalone/dist/bundle/serve.js");
/** Editors write several files, or one several times. In milliseconds. */
const QUIET_MS = 200;

const say = (line) => process.stderr.write(`[dev] ${line}\n`);

/** What changed since the last build began. */
const changed = { any: true, console: true };
const watched = new Set();
let wake = () => undefined;
let building;
let server;
let isStopping = false;

function* sourceFolders() {
  const { workspaces } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8"));
  for (const workspace of workspaces) {
    const folder = `${workspace}/${workspace === "proto" ? "gen" : "src"}`;
    if (fs.existsSync(path.join(ROOT, folder))) yield folder;
  }
}

/** A folder and those below, each by itself: Node 20 loses files on Linux that an editor replaces if it is told to watch all. */
function watch(folder) {
  if (watched.has(folder)) return;
  watched.add(folder);
  fs.watch(path.join(ROOT, folder), (_, name) => {
    if (name !== null) notice(`${folder}/${name}`);
  }).on("error", () => watched.delete(folder));
  for (const entry of fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true })) {
    if (entry.isDirectory()) watch(`${folder}/${entry.name}`);
  }
}

function notice(name) {
  const isFolder = fs.statSync(path.join(ROOT, name), { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) watch(name);
  else watched.delete(name);
  if (!isFolder && (!/\.(ts|tsx|css|html|json)$/.test(name) || /\.test\.tsx?$/.test(name))) return;
  changed.any = true;
  changed.console ||= name.startsWith(CONSOLE) || name.startsWith("gateway/client");
  wake();
}

/** Waits for a change, then until nothing more changes for a moment. */
async function change() {
  if (!changed.any) await new Promise((resolve) => (wake = resolve));
  for (let isQuiet = false; !isQuiet;) {
    isQuiet = await new Promise((resolve) => {
      const timer = setTimeout(resolve, QUIET_MS, true);
      wake = () => {
        clearTimeout(timer);
        resolve(false);
      };
    });
  }
}

/** Runs a step of the build; whether it succeeded. */
async function succeeds(command, args, options = {}) {
  building = spawn(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2], ...options });
  const [code] = await once(building, "close");
  building = undefined;
  return code === 0;
}

async function build() {
  const started = Date.now();
  changed.any = false;
  // What the server runs, and the types of the console; not the tests, the training and the demo.
  if (!(await succeeds(TSC, ["-b", "services/standalone", CONSOLE], { shell: IS_WINDOWS }))) return false;
  if (changed.console) {
    changed.console = false;
    // A console beyond its budget is complete; its builder says above what is too large.
    const isWithinBudget = await succeeds(process.execPath, [`${CONSOLE}/bundle.mjs`, "--reload", "--out", NEXT_SITE]);
    if (!isWithinBudget && !fs.existsSync(path.join(NEXT_SITE, "index.html"))) {
      changed.console = true;
      return false;
    }
  }
  say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
  return true;
}

/** In a group of its own, so that Ctrl-C reaches it once: from here. */
function startServer() {
  if (fs.existsSync(NEXT_SITE)) {
    fs.rmSync(SITE, { recursive: true, force: true });
    fs.renameSync(NEXT_SITE, SITE);
  }
  const started = spawn(process.execPath, [path.join(import.meta.dirname, "dist/main.js")], {
    stdio: "inherit",
    detached: !IS_WINDOWS,
  });
  server = started;
  started.once("exit", (code, signal) => {
    server = undefined;
    if (!started.killed) say(`The server has ended (${signal ?? code}). It starts again after the next change.`);
  });
}

/** Waits until the server has ended what it does. */
async function stopServer() {
  if (server === undefined) return;
  const ended = once(server, "exit");
  if (!server.killed) server.kill("SIGTERM");
  await ended;
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  building?.kill();
  await stopServer();
  process.exit();
}

async function main() {
  if (!fs.existsSync(TSC)) {
    say("Dependencies are missing: run `npm ci` first.");
    process.exitCode = 1;
    return;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  // Also where this fails.
  process.on("exit", () => server?.kill("SIGTERM"));
  fs.rmSync(BUILT, { force: true });
  for (const folder of sourceFolders()) watch(folder);
  say("Building …");
  for (;;) {
    await change();
    const isBuilt = await build();
    if (isStopping) return;
    if (!isBuilt) {
      const state = server === undefined ? "The server starts after the next change." : "The server runs on as it was.";
      say(`The build failed; above it says why. ${state}`);
      continue;
    }
    await stopServer();
    if (isStopping) return;
    startServer();
  }
}

await main();
