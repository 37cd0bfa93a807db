// Runs the build stage of services/Dockerfile without a container engine, and starts the result:
//   node check-image.mjs FOLDER
// FOLDER, which must not exist yet, is the root of the stage. The base image and its packages, such as ffmpeg, are not checked.
// Needs the npm packages of the checkout, for a photo.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { finish, ROOT } from "./objects.mjs";

const READY_MS = 30_000;
const root = path.resolve(process.argv[2]);
const source = path.join(root, "src");
const app = path.join(root, "app");
const dockerfile = fs.readFileSync(path.join(ROOT, "services/Dockerfile"), "utf8");
const [, , buildStage = "", lastStage = ""] = dockerfile.split(/^FROM .*$/m);

/** A pattern of .dockerignore as a regular expression over paths; everything below a match matches too. */
function expressionOf(pattern) {
  const escaped = pattern.replace(/^!/, "").replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const body = escaped.replace(/\*\*\/|\*/g, (stars) => (stars === "*" ? "[^/]*" : "(?:.*/)?"));
  return new RegExp(`^${body}(?:/.*)?$`);
}

/** Copies the build context: the files of the checkout that .dockerignore does not exclude. */
function copyContext() {
  const lines = fs.readFileSync(path.join(ROOT, ".dockerignore"), "utf8").split("\n");
  const patterns = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const rules = patterns.map((pattern) => ({ keeps: pattern.startsWith("!"), matches: expressionOf(pattern) }));
  const listed = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.stdout.split("\0").filter((name) => name !== "" && fs.existsSync(path.join(ROOT, name)))) {
    const last = rules.findLast(({ matches }) => matches.test(file));
    if (last !== undefined && !last.keeps) continue;
    fs.mkdirSync(path.dirname(path.join(source, file)), { recursive: true });
    fs.copyFileSync(path.join(ROOT, file), path.join(source, file));
  }
}

/** The packages of the stage `runtime`: here those of this machine, if it has any. */
function copyPackages() {
  const status = "/var/lib/dpkg/status";
  const [, , target] = /^COPY --from=runtime (\S+) (\S+)$/m.exec(buildStage);
  fs.writeFileSync(path.join(source, target), fs.existsSync(status) ? fs.readFileSync(status) : "");
}

/** A variable is empty where it stands before its ARG. */
function argumentFailures() {
  const known = new Set();
  return lastStage.split("\n").flatMap((line) => {
    const [, declared] = /^ARG (\w+)/.exec(line) ?? [];
    if (declared !== undefined) known.add(declared);
    const used = line.startsWith("#") ? [] : [...line.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    return used.filter((name) => !known.has(name)).map((name) => `${name} is used before its ARG`);
  });
}

/** Every package of npm that the image has is listed in it. */
function listFailures() {
  const { components } = JSON.parse(fs.readFileSync(path.join(app, "sbom.cdx.json"), "utf8"));
  const listed = new Set(components.map((component) => component["bom-ref"]));
  const { packages } = JSON.parse(fs.readFileSync(path.join(source, "package-lock.json"), "utf8"));
  const held = Object.entries(packages).filter(
    ([place]) => place.includes("node_modules/") && fs.existsSync(path.join(app, place)),
  );
  return held.flatMap(([place, { name = place.replace(/^.*node_modules\//, ""), version, link }]) =>
    link || listed.has(`${name}@${version}`) ? [] : [`the list of packages lacks ${place}`],
  );
}

/** Runs the RUN instructions of the build stage, in the folder instead of the root. */
function build() {
  // Comments between the lines of an instruction are no part of it.
  const instructions = buildStage
    .replace(/^\s*#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n");
  for (const line of instructions.filter((each) => each.startsWith("RUN "))) {
    const command = line.slice("RUN ".length).replaceAll("/app", app);
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], { cwd: source, encoding: "utf8" });
    if (status !== 0) throw new Error(`the build stage fails at: ${command}\n${stdout}${stderr}`);
  }
}

/** Copies what the last stage takes from the build stage beside /app, to where it puts it. */
function copyFurtherLayers() {
  for (const [, from, to] of lastStage.matchAll(/^COPY --from=build (\/src\/\S+) (\S+)$/gm)) {
    fs.cpSync(path.join(root, from), path.join(app, to), { recursive: true });
  }
}

/** Every entry loads all its modules and then rejects its configuration. */
function loads() {
  const entries = ["gateway/dist/server.js", "services/standalone/dist/main.js", "services/worker/dist/main.js"];
  const services = ["auth", "media", "operation", "insight", "export"].map((name) => `services/${name}/dist/server.js`);
  return [...entries, ...services].flatMap((entry) => {
    const env = { PATH: process.env.PATH, GRPC_PORT: "wrong" };
    const { stderr } = spawnSync(process.execPath, [entry], { cwd: app, encoding: "utf8", env, timeout: READY_MS });
    return stderr.includes("Wrong configuration: GRPC_PORT") ? [] : [`${entry} does not start: ${stderr}`];
  });
}

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function becomesReady(port, child) {
  for (const end = Date.now() + READY_MS; Date.now() < end && child.exitCode === null;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

/** A page below /docs, and every file of this server that it names. */
async function pageFailures(address) {
  const page = await (await fetch(address)).text();
  const named = [...page.matchAll(/(?:src|href)="(?![a-z]+:)([^"]+)"/g)].map(([, file]) => file);
  const answers = await Promise.all(named.map(async (file) => [file, await fetch(new URL(file, address))]));
  return [
    ...(named.some((file) => file.endsWith(".js")) ? [] : [`${address} does not name its script`]),
    ...answers.filter(([, { ok }]) => !ok).map(([file, { status }]) => `${address} names ${file}: ${status}`),
  ];
}

/** The default command becomes ready with its models, serves its page, passes HEALTHCHECK, and exits on SIGTERM with 0. */
async function runs() {
  const port = await freePort();
  const env = { PATH: process.env.PATH, NODE_ENV: "production", PORT: String(port), DATA_DIR: path.join(root, "data") };
  const [program, ...args] = JSON.parse(/^CMD (\[.*\])$/m.exec(lastStage)[1]);
  const child = spawn(program, args, { cwd: app, env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)));
  const ready = await becomesReady(port, child);
  const [probe, ...probed] = JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(lastStage)[1]);
  const healthy = spawnSync(probe, probed, { cwd: app, env }).status === 0;
  const pages = ["docs/api", "docs/getting-started"].map((page) => `http://127.0.0.1:${port}/${page}`);
  const failures = ready ? (await Promise.all(pages.map(pageFailures))).flat() : [];
  child.kill("SIGTERM");
  const code = await ended;
  return [
    ...(ready ? [] : ["the default command does not get ready"]),
    ...failures,
    ...(healthy ? [] : ["HEALTHCHECK does not find it healthy"]),
    ...(code === 0 ? [] : [`SIGTERM ends it with ${code}`]),
  ];
}

/** Every vision and OCR network is in the image: a photo of people passes through all of them. */
async function looks() {
  const load = (module) => import(pathToFileURL(path.join(app, "services/analysis/dist", module)).href);
  const [{ createMediaPool }, { inspectFile }] = await Promise.all([load("index.js"), load("media/probe/index.js")]);
  const file = path.join(ROOT, "node_modules/@vladmandic/face-api/demo/sample1.jpg");
  const facts = await inspectFile(file, { imagePixelsMax: 40_000_000, durationMsMax: 900_000 });
  const analyses = ["face-id", "object-id", "activity-id", "logo-id", "caption"];
  const pool = createMediaPool({ media: { processes: 1, environment: { PATH: process.env.PATH } } });
  try {
    // Descriptors are computed only if there are faces to compare with.
    const gallery = { faces: [{ name: "Nobody", descriptor: Array(128).fill(0) }], marks: [] };
    const { results, errors } = await pool.analyze({
      file,
      facts,
      analyses,
      readsText: true,
      transcribes: false,
      gallery,
    });
    return [
      ...Object.entries(errors).map(([analysis, error]) => `${analysis}: ${error}`),
      ...analyses.filter((each) => results[each] === undefined).map((each) => `${each} has no result`),
      ...(results["face-id"]?.length > 0 ? [] : ["no face is found"]),
    ];
  } finally {
    await pool.close();
  }
}

copyContext();
copyPackages();
build();
copyFurtherLayers();
finish("what the image holds", [
  ...argumentFailures(),
  ...listFailures(),
  ...loads(),
  ...(await runs()),
  ...(await looks()),
]);
