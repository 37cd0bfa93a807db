// The containers of the compose project under test, by the command line of podman and docker-compose.
import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const [compose = "", ...composeArguments] = (process.env.COMPOSE ?? "").split(" ");

async function podman(...args) {
  const { stdout } = await run("podman", args);
  return stdout.trim();
}

const lines = (text) => text.split("\n").filter((line) => line !== "");

/** Ids of the running containers of a service. */
export async function containersOf(service) {
  return lines(await podman("ps", "--quiet", "--no-trunc", "--filter", `label=com.docker.compose.service=${service}`));
}

/** Kills the first process of a container of the service, from outside, as the kernel does when memory is short. */
export async function kill9(service) {
  const [id] = await containersOf(service);
  if (id === undefined) throw new Error(`${service} does not run`);
  const [pid, restarts] = await stateOf(id);
  process.kill(pid, "SIGKILL");
  await until(`${service} is started again`, async () => {
    const [next, times] = await stateOf(id);
    return next > 0 && next !== pid && times > restarts;
  });
}

async function stateOf(id) {
  const [pid, restarts] = (await podman("inspect", "--format", "{{.State.Pid}} {{.RestartCount}}", id)).split(" ");
  return [Number(pid), Number(restarts)];
}

/** Runs so many containers of the service. */
export async function scale(service, count) {
  await run(compose, [
    ...composeArguments,
    "up",
    "--detach",
    "--no-recreate",
    "--no-deps",
    "--scale",
    `${service}=${count}`,
    service,
  ]);
  await until(`${count} of ${service} run`, async () => (await containersOf(service)).length === count);
}

/** The address at which this machine reaches a container of the service; its network has no way out, but the machine is in it. */
export async function addressOf(service) {
  const [id] = await containersOf(service);
  return podman("inspect", "--format", "{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}", id);
}

/** Whether the health check of the image, asked for readiness, succeeds in every container of the service. */
export async function areReady(service) {
  const ids = await containersOf(service);
  const probe = (id) => podman("exec", id, "node", "services/standalone/dist/check-health.js", "/readyz");
  const answers = await Promise.allSettled(ids.map(probe));
  return ids.length > 0 && answers.every(({ status }) => status === "fulfilled");
}

/** Resolves once the condition holds; throws after two minutes. */
export async function until(what, condition) {
  for (const end = Date.now() + 120_000; Date.now() < end; await delay(250)) {
    if (await condition().catch(() => false)) return;
  }
  throw new Error(`it never came true that ${what}`);
}
