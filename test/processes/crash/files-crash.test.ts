import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { photo } from "../../rest/sample-files.js";
import { Deployment, type Topology } from "../../support/deployment.js";
import { LIMITS } from "../../support/limits.js";
import { EMAIL, PASSWORD, sender, TEST_SETTINGS } from "../../support/server.js";

const OPERATIONS = "/api/v2/products/api/operations";

let folder: string;
let deployment: Deployment;

async function prepare(topology: Topology): Promise<Deployment> {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-files-crash-"));
  await mkdir(path.join(folder, "tmp"));
  const env = {
    ...TEST_SETTINGS,
    NODE_ENV: "test",
    LOG_LEVEL: "info",
    DATA_DIR: path.join(folder, "data"),
    TMPDIR: path.join(folder, "tmp"),
    LEASE_SECONDS: "2",
  };
  return Deployment.prepare({ topology, env });
}

async function remove(): Promise<void> {
  await deployment.end("SIGKILL");
  await rm(folder, { recursive: true, force: true });
}

async function signIn(): Promise<string> {
  const user = { email: EMAIL, password: PASSWORD };
  const answer = await sender(deployment.url)("POST", "/api/v1/users/sign_in", { body: { user } });
  return answer.headers.get("authorization") ?? "";
}

async function upload(authorization: string, number: number): Promise<number> {
  const bytes = new Uint8Array(await photo(number));
  const send = () => {
    const body = new FormData();
    body.set("file", new Blob([bytes]), "photo.jpg");
    return fetch(`${deployment.url}${OPERATIONS}/upload`, { method: "POST", headers: { authorization }, body });
  };
  const answer = await untilStatus(201, send);
  return ((await answer.json()) as { id: number }).id;
}

/** Repeats a request until it has the expected status: a restarted part may be briefly unavailable. */
function untilStatus<A extends { status: number }>(status: number, send: () => Promise<A>): Promise<A> {
  return vi.waitFor(
    async () => {
      const answer = await send();
      expect(answer.status).toBe(status);
      return answer;
    },
    { timeout: LIMITS.condition, interval: 100 },
  );
}

const scratchFolders = async () => (await readdir(path.join(folder, "tmp"))).filter((name) => name.includes("scratch"));

describe("an operation on files", () => {
  beforeAll(async () => {
    deployment = await prepare("one-process");
  });
  afterAll(remove);

  it("ends an operation on files, once, after the process died over it, and clears up what that left", async () => {
    const product = deployment.part("product");
    product.start({ FAILPOINTS: "worker.mid=1" });
    await deployment.ready();
    const authorization = await signIn();
    const contents = [await upload(authorization, 1), await upload(authorization, 2)];
    const send = sender(deployment.url);
    const body = { type: "file", analyses: ["object-id"], contents };
    const { body: created } = await send("POST", OPERATIONS, { authorization, body });
    const { id } = created as { id: number };
    await vi.waitFor(() => expect(product.isRunning).toBe(false));
    expect(await scratchFolders()).toHaveLength(1);

    product.start();
    await deployment.ready();
    expect(await scratchFolders()).toHaveLength(1);
    const read = await send("GET", `${OPERATIONS}/${id}?wait=60`, { authorization });
    expect(read.body).toMatchObject({ status: "done", data: { contents_count: 2 } });
    const again = await send("POST", OPERATIONS, { authorization, body });
    expect(again.status, "a file is used once, whatever happened").toBe(400);

    expect(await deployment.end("SIGTERM")).toEqual([]);
    expect(await scratchFolders()).toEqual([]);
    expect(deployment.endings.get(id)).toBe(1);
    expect(deployment.errors).toEqual([]);
  });
});

/** The step at which a creation with claimed files dies, followed by those at which its successors die. */
const DEATHS: readonly (readonly string[])[] = [
  ["media.mid_claim"],
  ["operation.after_attempt"],
  ["operation.after_claim"],
  ["operation.after_chunks"],
  ["operation.before_insert"],
  ["operation.after_insert"],
  ["operation.before_insert", "operation.mid_abandon", "media.mid_release", "operation.after_release"],
];

async function countOperations(authorization: string): Promise<number> {
  const list = () => sender(deployment.url)("GET", `${OPERATIONS}?limit=100`, { authorization });
  const { body } = await untilStatus(200, list);
  return (body as { operations: unknown[] }).operations.length;
}

const ALL_ROLES = "operation.run,operation.sweep";
/** The current roles of the worker process, if there is one. */
let roles = ALL_ROLES;

async function letWorkerDo(wanted: string): Promise<void> {
  if (roles === wanted) return;
  roles = wanted;
  const worker = deployment.part("worker-1");
  await worker.end("SIGTERM");
  worker.start({ WORKER_ROLES: wanted });
  await deployment.ready();
}

describe.each(["one-process", "processes"] as const)("creating an operation from files, %s", (topology) => {
  beforeAll(async () => {
    deployment = await prepare(topology);
    roles = ALL_ROLES;
  });
  afterAll(remove);

  // Each test kills its own choice of parts; the others keep running.
  beforeEach(async () => {
    deployment.start();
    await deployment.ready();
  });

  it.each(DEATHS.map((steps) => ({ steps })))(
    "succeeds by repetition with its key after death at $steps",
    { timeout: LIMITS.processes },
    async ({ steps }) => {
      const authorization = await signIn();
      const headers = { "idempotency-key": randomUUID() };
      const contents = [await upload(authorization, 1), await upload(authorization, 2)];
      const body = { type: "file", analyses: ["face-id"], contents };
      const create = () => sender(deployment.url)("POST", OPERATIONS, { authorization, headers, body });
      const before = await countOperations(authorization);
      // If another process abandoned the creation first, the repetition would never reach its step.
      if (topology === "processes") await letWorkerDo("operation.run");
      for (const step of steps) {
        const victim = deployment.partOfStep(step);
        await victim.end("SIGKILL");
        victim.start({ FAILPOINTS: `${step}=1` });
        await deployment.ready();
        await vi.waitFor(
          async () => {
            const status = await create().then(
              (answer) => answer.status,
              () => "no answer",
            );
            if (step !== "operation.after_insert") expect(status).not.toBe(201);
            expect(status).not.toBe(400);
            expect(victim.isRunning, `passed ${step}`).toBe(false);
          },
          { timeout: LIMITS.condition, interval: 100 },
        );
        victim.start();
        await deployment.ready();
      }
      const answers: number[] = [];
      const repeated = () =>
        vi.waitFor(
          async () => {
            const { status, body } = await create();
            answers.push(status);
            expect(status).toBe(201);
            return body;
          },
          { timeout: LIMITS.condition, interval: 100 },
        );
      expect(await repeated()).toEqual(await repeated());
      expect(answers.filter((status) => status !== 201 && status !== 503)).toEqual([]);
      expect(await countOperations(authorization)).toBe(before + 1);
    },
  );

  it(
    "without a key leaves its files free again within a minute of its death",
    { timeout: LIMITS.processes },
    async () => {
      const authorization = await signIn();
      const contents = [await upload(authorization, 1)];
      if (topology === "processes") await letWorkerDo(ALL_ROLES);
      const victim = deployment.part(topology === "processes" ? "operation" : "product");
      await victim.end("SIGKILL");
      victim.start({ FAILPOINTS: "operation.before_insert=1" });
      await deployment.ready();
      const body = { type: "file", analyses: ["face-id"], contents };
      const create = () => sender(deployment.url)("POST", OPERATIONS, { authorization, body });
      await vi.waitFor(
        async () => {
          await create().catch(() => undefined);
          expect(victim.isRunning).toBe(false);
        },
        { timeout: LIMITS.condition, interval: 100 },
      );
      victim.start();
      await deployment.ready();
      await vi.waitFor(async () => expect((await create()).status).toBe(201), {
        timeout: LIMITS.condition,
        interval: 500,
      });
    },
  );
});
