import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openFileBlobs } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Deployment } from "../support/deployment.js";
import { done, failed, runAdmin } from "./admin-command.js";

const [EMAIL, PASSWORD] = ["admin@example.com", "correct horse battery staple"];
const OPERATIONS = "/api/v2/products/api/operations";

let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-backup-"));
  dataDir = path.join(folder, "data");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const admin = (env: Record<string, string>, ...args: string[]) => runAdmin({ DATA_DIR: dataDir, ...env }, args);

/** A caller of the REST interface. */
class Client {
  private authorization = "";

  constructor(private readonly url: string) {}

  async signIn(email: string, password: string): Promise<void> {
    const response = await this.send("/api/v1/users/sign_in", { user: { email, password } });
    this.authorization = response.headers.get("authorization") ?? "";
  }

  async create(contents: string[]): Promise<number> {
    const response = await this.send(OPERATIONS, { type: "text", analyses: ["sentiment-simple", "topic"], contents });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: number }).id;
  }

  /** The operation as its owner reads it, with its status. */
  async read(id: number, wait = 0): Promise<{ status: string; text: string }> {
    const response = await this.send(`${OPERATIONS}/${id}?wait=${wait}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    return { status: (JSON.parse(text) as { status: string }).status, text };
  }

  /** Posts the body; without one it gets. */
  private send(route: string, body?: object): Promise<Response> {
    const headers = { authorization: this.authorization, "content-type": "application/json" };
    const posted = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return fetch(this.url + route, { headers, ...posted });
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

async function readBlob(root: string, key: string): Promise<string> {
  const blobs = await openFileBlobs({ folder: path.join(root, "files") });
  const chunks: Uint8Array[] = [];
  for await (const chunk of blobs.get(key)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Path below the folder to mode, of all files. */
async function modesOf(root: string): Promise<Map<string, string>> {
  const modes = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    modes.set(path.relative(root, file), ((await stat(file)).mode & 0o777).toString(8));
  }
  return modes;
}

it("brings back all that was accepted before a backup beside a running server", async () => {
  const env = {
    DATA_DIR: dataDir,
    BOOTSTRAP_EMAIL: EMAIL,
    BOOTSTRAP_PASSWORD: PASSWORD,
    RATE_LIMIT_PER_MINUTE: "0",
    ANALYSIS_THREADS: "1",
    LEASE_SECONDS: "1",
  };
  const product = await Deployment.prepare({ topology: "one-process", env });
  product.start();
  await product.ready();
  const client = new Client(product.url);
  await client.signIn(EMAIL, PASSWORD);
  const company = (await admin({}, "company", "list")).stdout.split("\t")[1] ?? "";
  const ann = ["--email", "ann@example.com", "--company", company];
  await admin({ ADMIN_PASSWORD: "a password of hers" }, "user", "create", ...ann);
  const blobs = await openFileBlobs({ folder: path.join(dataDir, "files") });
  await blobs.put("media/1/original", once("the bytes of a picture"));

  const finished = await Promise.all(["I love it.", "I hate it."].map((text) => client.create([text])));
  const results = await Promise.all(finished.map(async (id) => [id, await client.read(id, 60)] as const));
  const texts = Array.from({ length: 800 }, (_, index) => `Text number ${index} is about a museum in Lisbon.`);
  const waiting: number[] = [];
  for (let count = 0; count < 10; count++) waiting.push(await client.create(texts));

  // Others continue to write all the while.
  const target = path.join(folder, "copies", "monday");
  let writing = true;
  let written = 0;
  const writers = [0, 1].map(async (writer) => {
    for (; writing; written++) await client.create([`Writer ${writer} says ${written}.`]);
  });
  const outcome = await admin({}, "backup", "--to", target);
  expect((await client.read(waiting.at(-1) ?? 0)).status).not.toBe("done");
  const during = written;
  writing = false;
  await Promise.all(writers);
  expect(outcome).toEqual(
    done(new RegExp(`^Backed up to ${target}\ndatabase\t\\d+ bytes\nfiles\t1 files, 22 bytes\n`)),
  );
  expect(during).toBeGreaterThan(0);
  expect(await readdir(path.dirname(target))).toEqual(["monday"]);
  const keys = (await readdir(path.join(dataDir, "keys"))).map((name) => `keys/${name}`);
  const modes = await modesOf(target);
  expect([...modes.keys()].sort()).toEqual(["files/blobs/media/1/original.blob", "hourglass.db", ...keys].sort());
  expect(new Set(modes.values())).toEqual(new Set(["600"]));

  await product.end("SIGKILL");
  await rm(dataDir, { recursive: true });
  await rename(target, dataDir);
  // Which engine ends the operations plays no part, and thousands of texts are waiting.
  product.part("product").start({ ENGINE_SENTIMENT_SIMPLE: "fast", ENGINE_TOPIC: "fast" });
  await product.ready();
  for (const [id, before] of results) expect(await client.read(id)).toEqual(before);
  for (const id of waiting) {
    await vi.waitFor(async () => expect((await client.read(id)).status).toBe("done"), {
      interval: 200,
      timeout: 60_000,
    });
  }
  await client.signIn("ann@example.com", "a password of hers");
  const next = await client.create(["After the restore."]);
  expect(next).toBeGreaterThan(Math.max(...waiting));
  expect((await client.read(next, 60)).status).toBe("done");
  expect(await readBlob(dataDir, "media/1/original")).toBe("the bytes of a picture");
  expect(product.errors).toEqual([]);
  await product.end("SIGTERM");
});

it("refuses what it cannot do, and leaves nothing", async () => {
  const target = path.join(folder, "copy");
  expect(await admin({}, "backup", "--to", target)).toEqual(failed(/^There is no database in .*data: set DATA_DIR/));
  expect(await readdir(folder)).toEqual([]);
  await admin({}, "company", "create", "--name", "Acme");
  const mongo = { MONGODB_URL: "mongodb://user:secret@127.0.0.1/hourglass" };
  expect(await admin(mongo, "backup", "--to", target)).toEqual(failed(/^The data is in MongoDB .*mongodump\.\n$/));
  expect(await admin({}, "backup", "--to", path.join(dataDir, "copy"))).toEqual(
    failed(/outside of the data folder/, 2),
  );
  await mkdir(target);
  await writeFile(path.join(target, "notes.txt"), "mine");
  expect(await admin({}, "backup", "--to", target)).toEqual(failed(/copy is not empty/, 2));
  expect(await readFile(path.join(target, "notes.txt"), "utf8")).toBe("mine");
  await mkdir(`${target}2.partial`);
  expect(await admin({}, "backup", "--to", `${target}2`)).toEqual(failed(/copy2\.partial is in the way.*: remove it/));
  await mkdir(`${target}3`);
  expect(await admin({}, "backup", "--to", `${target}3`)).toEqual(done(/^Backed up to .*copy3\n/));
  expect((await readdir(folder)).sort()).toEqual(["copy", "copy2.partial", "copy3", "data"]);
});
