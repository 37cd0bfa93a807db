// The first five minutes of a new user: clone, `npm start`, sign in, analyze texts, stop. Exits with 0 if everything
// works as the README says. The current folder must be the root of a checkout.
import { spawn, execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const PASSWORD = "smoke-test-password";
/** Timeout for a start that hangs: an install and a build from scratch take minutes on a busy machine. */
const START_MS = 900_000;
const STOP_MS = 10_000;
const TEXTS = [
  "I love this phone, the camera of the new Samsung Galaxy is wonderful!",
  "This is the worst service I have ever had. I am really angry with the airline.",
  "Congratulations! You have WON a $1000 gift card, click http://win.example NOW to claim your free prize!!!",
  "We will open a new office in Berlin next year.",
];
/** Possible results of each analysis; null: a list, possibly empty. */
const EXPECTED = {
  "sentiment-simple": /^(positive|neutral|negative)$/,
  "sentiment-real": /^[a-z]+(_self)?$/,
  topic: null,
  "spam-detection": /^(spam|ham)$/,
  "personality-mb": /^[EI][SN][TF][JP]$/,
  intention: /^[a-z]+$/,
};

function check(holds, what) {
  if (!holds) throw new Error(what);
}

const say = (line) => process.stdout.write(`smoke: ${line}\n`);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The tracked files of this checkout, without history, builds and installed packages. */
function clone(folder) {
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", `file://${process.cwd()}`, folder], { stdio: "inherit" });
}

async function untilReady(base, server) {
  const giveUpAt = Date.now() + START_MS;
  while (Date.now() < giveUpAt) {
    check(server.exitCode === null, `npm start ended with ${server.exitCode} before it was ready`);
    const answer = await fetch(`${base}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(250);
  }
  throw new Error(`not ready after ${START_MS / 1000} s`);
}

async function signIn(base) {
  const answer = await fetch(`${base}/api/v1/users/sign_in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user: { email: "admin@example.com", password: PASSWORD } }),
  });
  check(answer.status === 200, `sign in: ${answer.status} ${await answer.text()}`);
  const token = answer.headers.get("authorization");
  check(token?.startsWith("Bearer "), "sign in: no token in the Authorization header");
  return token;
}

async function analyze(base, authorization) {
  const headers = { authorization, "content-type": "application/json" };
  const operations = `${base}/api/v2/products/api/operations`;
  const body = JSON.stringify({ type: "text", analyses: Object.keys(EXPECTED), contents: TEXTS });
  const created = await fetch(operations, { method: "POST", headers, body });
  check(created.status === 201, `create operation: ${created.status} ${await created.clone().text()}`);
  const { id } = await created.json();
  for (let attempt = 0; attempt < 6; attempt++) {
    const operation = await (await fetch(`${operations}/${id}?wait=20`, { headers })).json();
    if (operation.status === "done") return operation;
    check(["ready", "pending", "running"].includes(operation.status), `operation: ${JSON.stringify(operation)}`);
  }
  throw new Error("the operation is not done after 120 s");
}

function checkAnalysis(type, { data }) {
  const expected = EXPECTED[type];
  if (expected === null) return check(Array.isArray(data), `${type}: not a list`);
  check(expected.test(data.value), `${type}: ${JSON.stringify(data)}`);
  const probability = data.prob ?? data.prob1;
  check(probability >= 0 && probability <= 1, `${type}: probability ${probability}`);
}

function checkResults({ data }) {
  check(data.contents_count === TEXTS.length, `contents_count is ${data.contents_count}`);
  for (const [index, content] of data.contents.entries()) {
    check(content.content === TEXTS[index], `content ${index} is out of order`);
    for (const type of Object.keys(EXPECTED)) {
      const analysis = content.analyses.find((candidate) => candidate.type === type);
      check(analysis, `content ${index} has no ${type}: ${content.error ?? "no error given"}`);
      checkAnalysis(type, analysis);
    }
  }
  const valueOf = (index, type) => data.contents[index].analyses.find((one) => one.type === type).data.value;
  check(valueOf(0, "sentiment-simple") === "positive", "praise is not positive");
  check(valueOf(1, "sentiment-simple") === "negative", "a complaint is not negative");
  check(valueOf(2, "spam-detection") === "spam", "spam is not spam");
  check(valueOf(3, "spam-detection") === "ham", "news is spam");
}

/** Whether a process, or a process of a group given by its negative id, is running. */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function stop(server) {
  const asked = Date.now();
  server.kill("SIGTERM");
  // npm ends immediately if its shell dies of the signal; the server ends when it has drained.
  while (isAlive(-server.pid)) {
    check(Date.now() - asked < STOP_MS, `something of npm start still runs ${STOP_MS / 1000} s after SIGTERM`);
    await sleep(50);
  }
  say(`stopped in ${Date.now() - asked} ms`);
}

function start(folder, port) {
  // Empty counts as unset: embedded store and queue, whatever the machine offers.
  const settings = { HOST: "", PORT: String(port), DATA_DIR: path.join(folder, "data"), MONGODB_URL: "", AMQP_URL: "" };
  const bootstrap = { BOOTSTRAP_EMAIL: "", BOOTSTRAP_PASSWORD: PASSWORD };
  const server = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, ...settings, ...bootstrap },
    stdio: ["ignore", "inherit", "inherit"],
    detached: true,
  });
  return server;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hourglass-smoke-"));
let server;
try {
  clone(folder);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const started = Date.now();
  server = start(folder, port);
  await untilReady(base, server);
  say(`ready ${Math.round((Date.now() - started) / 1000)} s after npm start in a fresh clone`);
  checkResults(await analyze(base, await signIn(base)));
  say("six analyses of four texts are as expected");
  await stop(server);
} catch (error) {
  say(`FAILED: ${error.message}`);
  process.exitCode = 1;
} finally {
  try {
    // Kills the whole group: a server that did not stop must not outlive the test.
    if (server) process.kill(-server.pid, "SIGKILL");
  } catch {
    // already ended
  }
  fs.rmSync(folder, { recursive: true, force: true });
}
