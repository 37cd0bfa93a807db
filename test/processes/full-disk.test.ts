import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { endWithUs } from "../support/end-with-us.js";
import { freePort } from "../support/free-port.js";
import { embeddedTestStorage } from "../support/test-storage.js";
import { png } from "../support/png.js";
import { sender, TEST_SETTINGS } from "../support/server.js";
import { FORM_TYPE, formOf } from "../rest/multipart.js";
import { EXPORTS, INSIGHTS, OPERATIONS, TEXT_OPERATION, UPLOAD } from "../rest/routes.js";
import { signIn } from "./crash-loop/sign-in.js";

interface LogEntry {
  level: string;
  msg: string;
  holds?: string;
}

const ENTRY = fileURLToPath(new URL("../../services/standalone/dist/main.js", import.meta.url));
const DUE_WORK = fileURLToPath(new URL("../dist/processes/full-disk/due-work.js", import.meta.url));
const DISK_MB = 24;
/** Linux gives a process its own small disk, unless user namespaces are disabled. */
const OWN_DISK = ["--user", "--map-root-user", "--mount", "sh", "-c"];
const hasOwnDisks = spawnSync("unshare", [...OWN_DISK, "mount -t tmpfs none /mnt"]).status === 0;

/** Starts the product with a data folder on a small disk; `root` is the path of the disk for this process. */
async function startOnSmallDisk(): Promise<{ url: string; log: LogEntry[]; root: string }> {
  const { env, dataDir, remove } = await embeddedTestStorage();
  const port = await freePort();
  const mounted = `mount -t tmpfs -o size=${DISK_MB}m,mode=0700 none "$DATA_DIR" && exec "$0" "$1"`;
  const settings = {
    ...TEST_SETTINGS,
    ...env,
    PORT: String(port),
    GRPC_PORT: "0",
    LOG_LEVEL: "info",
    PATH: process.env["PATH"],
  };
  const options: SpawnOptions = { env: settings, stdio: ["ignore", "pipe", "ignore"] };
  const child: ChildProcess = spawn("unshare", [...OWN_DISK, mounted, process.execPath, ENTRY], options);
  const log: LogEntry[] = [];
  createInterface({ input: child.stdout! }).on("line", (line) => {
    if (line.startsWith("{")) log.push(JSON.parse(line) as LogEntry);
  });
  endWithUs(() => child.kill("SIGKILL"));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
    await remove();
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  return { url, log, root: `/proc/${child.pid}/root${dataDir}` };
}

/** Log lines about the disk, about missing prerequisites of file analyses, and about the release of Node. */
const ABOUT_DISK_OR_PARTS = /^(the disk|part of the analysis of files|a program for files|Node \d)/;

/** Fills the disk completely. */
function fillDisk(file: string): void {
  const handle = openSync(file, "w");
  fill(handle, "ENOSPC");
  closeSync(handle);
}

/** Writes until there is no room, which this error says. */
function fill(handle: number, code: string): void {
  try {
    for (;;) writeSync(handle, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code });
  }
}

it.skipIf(!hasOwnDisks)(
  "a full disk is reported, leaves nothing half, loses nothing, and is done with once there is room",
  async () => {
    const { url, log, root } = await startOnSmallDisk();
    const send = sender(url);
    const authorization = await signIn(url);
    const upload = (ballast: number) => {
      const body = formOf([{ body: png({ ballast }) }]);
      return send("POST", UPLOAD, { authorization, body, headers: { "content-type": FORM_TYPE } });
    };
    const analyze = () => send("POST", OPERATIONS, { authorization, body: TEXT_OPERATION });
    const filesIn = (folder: string) => readdirSync(`${root}/files/${folder}`).length;

    expect((await upload(5_000_000)).status).toBe(201);
    const tooLarge = await upload(DISK_MB * 1_000_000);
    expect(tooLarge.status).toBe(507);
    expect(tooLarge.body).toMatchObject({ code: "storage_full" });
    fillDisk(`${root}/filler`);
    expect((await upload(100_000)).status).toBe(507);
    expect((await analyze()).status).toBe(503);
    for (let round = 0; round < 20; round += 1) {
      expect([(await upload(100_000)).status, (await analyze()).status]).toEqual([507, 503]);
    }
    expect([filesIn("incoming"), filesIn("blobs/files")]).toEqual([0, 1]);
    rmSync(`${root}/filler`);
    expect((await upload(100_000)).status).toBe(201);
    expect((await analyze()).status).toBe(201);
    const told = (text: string) => log.filter(({ msg }) => msg.startsWith(text)).map((entry) => entry.holds);
    await vi.waitFor(() => expect(told("the disk has room again").sort()).toEqual(["files", "records"]));
    expect(told("the disk is full").sort()).toEqual(["files", "records"]);
    const others = log.filter(({ level, msg }) => level !== "info" && !ABOUT_DISK_OR_PARTS.test(msg));
    expect(others).toEqual([]);
  },
);

it.skipIf(!hasOwnDisks)(
  "what is deleted while the disk is full is deleted, and monitors see that it is full",
  async () => {
    const { url, log, root } = await startOnSmallDisk();
    const send = sender(url);
    const authorization = await signIn(url);
    const body = formOf([{ body: png() }]);
    const upload = () => send("POST", UPLOAD, { authorization, body, headers: { "content-type": FORM_TYPE } });
    const analyze = () => send("POST", OPERATIONS, { authorization, body: TEXT_OPERATION });
    const insight = { query: { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"] } };
    const created = async (response: Promise<{ status: number; body: unknown }>) =>
      String(((await response).body as { id: number }).id);
    const dependencies = async () =>
      (await fetch(`${url}/readyz`).then((response) => response.json())) as { status: string; dependencies: object };

    const insightPath = (await send("POST", INSIGHTS, { authorization, body: insight })).headers.get("location") ?? "";
    const exported = {
      insight_search_ids: [Number(insightPath.split("/").pop())],
      start_date: "2026-01-01",
      end_date: "2026-01-02",
    };
    const doomed = [
      `${OPERATIONS}/${await created(analyze())}`,
      `${UPLOAD}/${await created(upload())}`,
      `${EXPORTS}/${await created(send("POST", EXPORTS, { authorization, body: exported }))}`,
      insightPath,
    ];
    fillDisk(`${root}/filler`);
    while ((await analyze()).status !== 503) fillDisk(`${root}/more`);
    expect(await dependencies()).toMatchObject({ status: "degraded", dependencies: { disk: { state: "full" } } });
    expect((await upload()).status).toBe(507);
    for (const resource of doomed) {
      expect([resource, (await send("DELETE", resource, { authorization })).status]).toEqual([resource, 204]);
      expect([resource, (await send("GET", resource, { authorization })).status]).toEqual([resource, 404]);
      expect((await analyze()).status).toBe(503);
    }
    const metrics = await fetch(`${url}/metrics`).then((response) => response.text());
    expect(metrics).toMatch(/^hourglass_disk_full 1$/m);
    expect(metrics).toMatch(/^hourglass_requests_shed_total{reason="store_full"} [5-9]\d*$/m);
    expect(metrics).toMatch(/^hourglass_requests_shed_total{reason="storage_full"} 1$/m);
    expect(metrics).toMatch(/^hourglass_http_request_duration_seconds_count{.*status="507".*} 1$/m);
    rmSync(`${root}/filler`);
    await expect.poll(async () => (await analyze()).status, { timeout: 5000 }).toBe(201);
    expect(await dependencies()).toMatchObject({ dependencies: { disk: { state: "ready" } } });
    expect(log.filter(({ msg, holds }) => msg.startsWith("the disk is full") && holds === "records")).toHaveLength(1);
  },
);

it.skipIf(!hasOwnDisks)("what is due to be deleted is deleted while the disk is full", () => {
  const mounted = `mount -t tmpfs -o size=${DISK_MB}m none /mnt && exec "$0" "$1" /mnt`;
  const { stdout } = spawnSync("unshare", [...OWN_DISK, mounted, process.execPath, DUE_WORK], { encoding: "utf8" });
  expect(stdout).toBe("100 0\n");
});

/** Starts the product with its standard output somewhere; resolves once it is ready. */
async function startWithOutput(open: (entry: string[]) => [command: string, args: string[], options: SpawnOptions]) {
  const { env, remove } = await embeddedTestStorage();
  const port = await freePort();
  const settings = { ...TEST_SETTINGS, ...env, PORT: String(port), GRPC_PORT: "0", LOG_LEVEL: "trace" };
  const [command, args, options] = open([process.execPath, ENTRY]);
  const child = spawn(command, args, { ...options, env: { ...settings, PATH: process.env["PATH"] } });
  endWithUs(() => child.kill("SIGKILL"));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await remove();
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200));
  return { url, child };
}

const droppedBy = async (url: string) =>
  Number(/^hourglass_log_lines_dropped (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);

it.skipIf(!hasOwnDisks)("a full disk of the log stops no request, and the log says once what it lacks", async () => {
  const script = 'mount -t tmpfs -o size=1m none /mnt && exec "$@" >/mnt/log';
  const { url, child } = await startWithOutput((entry) => [
    "unshare",
    [...OWN_DISK, script, "sh", ...entry],
    { stdio: "ignore" },
  ]);
  const root = `/proc/${child.pid}/root/mnt`;
  fillDisk(`${root}/filler`);
  await vi.waitFor(async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await droppedBy(url)).toBeGreaterThan(3);
  });
  rmSync(`${root}/filler`);
  const lines = () =>
    readFileSync(`${root}/log`, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line) as { msg: string; dropped?: number });
  const noted = () => lines().filter(({ dropped }) => dropped !== undefined);
  await vi.waitFor(() => expect(noted()).toHaveLength(1));
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(noted()).toMatchObject([
    { msg: "the log had no room, its lines were dropped", dropped: await droppedBy(url) },
  ]);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

it.skipIf(process.platform === "win32")(
  "a pipe of the log that is full and that nobody reads stops no request, nor the end of the process",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "hourglass-pipe-"));
    const pipe = path.join(folder, "log");
    spawnSync("mkfifo", [pipe]);
    const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    fill(reader, "EAGAIN");
    const writer = openSync(pipe, "w");
    onTestFinished(() => {
      for (const handle of [reader, writer]) closeSync(handle);
      rmSync(folder, { recursive: true });
    });
    const { url, child } = await startWithOutput(([node = "", ...args]) => [
      node,
      args,
      { stdio: ["ignore", writer, "ignore"] },
    ]);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  },
);
