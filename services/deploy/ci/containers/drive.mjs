// Drives running containers over REST, and checks what they answer:
//   node drive.mjs single URL   the single process analyzes a text; its metrics name the commit in $REVISION
//   node drive.mjs parts URL    every part in its own container: a text and a photo
//   node drive.mjs kills URL    workers 1 → 3 → 1 and kill -9 of each part, while clients work: nothing accepted is lost
// BOOTSTRAP_PASSWORD is that of the first user. `kills` needs what `npm run build` makes of test/, podman, and COMPOSE, the
// command of docker-compose with its project and files.
import { setTimeout as delay } from "node:timers/promises";
import { finish, ROOT } from "../objects.mjs";
import { photoFailures, signIn, textFailures } from "./client.mjs";
import { addressOf, areReady, kill9, scale, until } from "./engine.mjs";

const [command, url] = process.argv.slice(2);
const PARTS = ["auth", "media", "operation", "insight", "export"];
const DRAIN_MS = 120_000;
/** Operations that must end between one fault and the next. */
const ENDS_BETWEEN = 5;

const ready = () => until(`${url} is ready`, async () => (await fetch(`${url}/readyz`)).ok);

async function single() {
  await ready();
  const metrics = await (await fetch(`${process.env.OPS_URL}/metrics`)).text();
  const named = new RegExp(`hourglass_build_info\\{[^}]*revision="${process.env.REVISION}"`).test(metrics);
  return [
    ...(await textFailures(url, await signIn(url))),
    ...(named ? [] : [`hourglass_build_info does not name ${process.env.REVISION}`]),
  ];
}

async function parts() {
  await ready();
  const authorization = await signIn(url);
  return [...(await textFailures(url, authorization)), ...(await photoFailures(url, authorization))];
}

/** SecantusDB does not end what a killed client left open; MongoDB does, after transactionLifetimeLimitSeconds. */
async function endTransactionsUntil(signal) {
  const { MongoClient } = await import("mongodb");
  while (!signal.aborted) {
    const options = { directConnection: true, serverSelectionTimeoutMS: 2000 };
    const client = new MongoClient(`mongodb://${await addressOf("mongo").catch(() => "127.0.0.1")}:27017`, options);
    await client
      .db("admin")
      .command({ killAllSessions: [] })
      .catch(() => undefined);
    await client.close();
    await delay(3000, undefined, { signal }).catch(() => undefined);
  }
}

/** The clients of the crash loop, which repeat what a fault broke off and know what they were promised. */
async function startClients(over) {
  const load = (module) => import(`${ROOT}/test/dist/processes/crash-loop/${module}.js`);
  const [{ Traffic }, { Promises }, { Random }] = await Promise.all(["traffic", "promises", "random"].map(load));
  const promises = new Promises();
  const [authorization, random] = [await signIn(url), new Random(Date.now() % 1_000_000)];
  const traffic = new Traffic({ url, authorization, random, promises, operations: 0, over }, 2);
  traffic.unlimited = true;
  return { traffic, promises };
}

async function kills() {
  await ready();
  const over = new AbortController();
  const ending = endTransactionsUntil(over.signal);
  const { traffic, promises } = await startClients(over.signal);
  const ended = () => promises.due.filter(({ end }) => end !== undefined).length;
  const goesOn = async (what) => {
    const before = ended();
    await until(`operations end after: ${what}`, async () => ended() >= before + ENDS_BETWEEN);
    process.stdout.write(`${what}: ${promises.accepted.length} accepted, ${ended()} seen to end\n`);
  };
  const step = async (what, work) => {
    await work();
    await goesOn(what);
  };
  await step("work began", () => undefined);
  await step("3 workers", () => scale("worker", 3));
  for (const part of ["worker", ...PARTS, "gateway", "rabbitmq", "mongo"])
    await step(`kill -9 of ${part}`, () => kill9(part));
  await step("1 worker", () => scale("worker", 1));
  await traffic.stop();
  const giveUpAt = performance.now() + DRAIN_MS;
  const lost = [];
  for (const promised of promises.due) if (!(await traffic.awaitEnd(promised, giveUpAt))) lost.push(promised.id);
  for (const promised of promises.due) await traffic.read(promised);
  for (const part of [...PARTS, "worker"]) await until(`${part} is ready`, () => areReady(part));
  over.abort();
  await ending;
  const [due, done] = [promises.due.length, promises.count("done")];
  process.stdout.write(
    `accepted ${promises.accepted.length}, of these ${due} kept, done ${done}, lost ${lost.length}\n`,
  );
  return [
    ...lost.map((id) => `operation ${id} was accepted and never ended`),
    ...(done === due - lost.length ? [] : [`${due - lost.length - done} ended, but not as done`]),
    ...[...promises.changed].map((id) => `operation ${id} changed after its end`),
    ...promises.broken,
  ];
}

finish(`${command}: ${url}`, await { single, parts, kills }[command]());
