import { png } from "../../support/png.js";
import { PatientClient } from "./patient-client.js";
import type { Random } from "./random.js";
import type { Promised, Promises } from "./promises.js";

const OPERATIONS = "/api/v2/products/api/operations";

export interface TrafficOptions {
  url: string;
  authorization: string;
  random: Random;
  promises: Promises;
  /** Maximum number of operations, unless it is lifted. */
  operations: number;
  /** Ends all calls if no server will start again. */
  over: AbortSignal;
}

/** Clients that create, read and delete operations, and retry calls that fail because of a crash. */
export class Traffic {
  /** Lifts the maximum: a step that must be reached needs traffic. */
  unlimited = false;
  private stopped = false;
  private uploads = 0;
  private readonly client: PatientClient;
  private readonly clients: Promise<void>[];

  constructor(
    private readonly options: TrafficOptions,
    clients: number,
  ) {
    this.client = new PatientClient({ ...options, broken: options.promises.broken });
    this.clients = Array.from({ length: clients }, () => this.run());
    for (const client of this.clients) client.catch(() => undefined); // reported when they are stopped
  }

  /** Lets the calls in progress finish. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  /** Reads until the operation has ended; false if it has not by then. */
  async awaitEnd(promised: Promised, giveUpAt: number): Promise<boolean> {
    do {
      await this.read(promised, performance.now() < giveUpAt ? "?wait=5" : "");
      if (promised.end !== undefined) return true;
    } while (performance.now() < giveUpAt);
    return false;
  }

  /** Reads again an answer that must not change any more. */
  async read(promised: Promised, query = ""): Promise<void> {
    const { status, text } = await this.client.call("GET", `${OPERATIONS}/${promised.id}${query}`);
    const { promises } = this.options;
    if (status === 200) promises.read(promised, text);
    else promises.broken.push(`reading ${promised.id} was answered ${status}`);
  }

  /** Creates one operation in addition to those of the clients. */
  async order(contents: string[]): Promise<Promised> {
    const promised = this.options.promises.add(contents);
    await this.create(promised);
    return promised;
  }

  /** Whether it is currently in work. */
  async isRunning(promised: Promised): Promise<boolean> {
    const { status, text } = await this.client.call("GET", `${OPERATIONS}/${promised.id}`);
    if (status !== 200) return false;
    this.options.promises.read(promised, text);
    return (JSON.parse(text) as { status: string }).status === "running";
  }

  private async run(): Promise<void> {
    const { random, promises, operations } = this.options;
    while (!this.stopped) {
      if (this.unlimited || promises.all.length < operations) await this.createOne();
      const known = promises.due;
      const some = known[random.between(0, known.length - 1)];
      if (some !== undefined) await this.read(some);
      await new Promise((resolve) => setTimeout(resolve, random.between(5, 40)));
    }
  }

  private async createOne(): Promise<void> {
    const { random, promises } = this.options;
    const promised = random.chance(FILES_SHARE)
      ? promises.add(await this.upload(random.between(1, 5)), "file")
      : promises.add(contentsOf(random, promises.all.length));
    await this.create(promised);
    if (random.chance(0.2)) await this.create(promised);
    if (random.chance(promised.type === "file" ? FILES_DELETED_SHARE : 0.15)) await this.delete(promised);
  }

  private async create(promised: Promised): Promise<void> {
    const { type, contents, key } = promised;
    const body =
      type === "text"
        ? { type, analyses: ["sentiment-simple"], contents }
        : { type, analyses: ["face-id"], contents: contents.map(Number) };
    const { status, text } = await this.client.call("POST", OPERATIONS, { key, body: JSON.stringify(body) });
    const { promises } = this.options;
    if (status === 201) promises.accept(promised, (JSON.parse(text) as { id: number }).id);
    else promises.broken.push(`creating ${promised.key} was answered ${status}: ${text}`);
  }

  /** Uploads pictures; each is a separate file, whatever happens to the calls. */
  private async upload(count: number): Promise<string[]> {
    const { promises } = this.options;
    const ids: string[] = [];
    while (ids.length < count) {
      const number = (this.uploads += 1);
      const body = new FormData();
      body.set("file", new Blob([new Uint8Array(png({ width: 32, height: 32, seed: number }))]), "picture.png");
      const sent = { key: `${promises.name}-file-${number}`, body };
      const { status, text } = await this.client.call("POST", `${OPERATIONS}/upload`, sent);
      if (status === 201) ids.push(String((JSON.parse(text) as { id: number }).id));
      else promises.broken.push(`uploading ${sent.key} was answered ${status}: ${text}`);
    }
    return ids;
  }

  private async delete(promised: Promised): Promise<void> {
    promised.deleted = true;
    const route = `${OPERATIONS}/${promised.id}`;
    const { promises } = this.options;
    // 404 is correct if an earlier attempt succeeded and only its response was lost.
    const { status } = await this.client.call("DELETE", route);
    if (status !== 204 && status !== 404) promises.broken.push(`deleting ${promised.id} was answered ${status}`);
    const after = await this.client.call("GET", route);
    if (after.status !== 404) promises.broken.push(`${promised.id} was deleted and is answered ${after.status}`);
  }
}

/** Every fourth operation is large enough to be stored in several parts. */
function contentsOf(random: Random, number: number): string[] {
  const count = random.chance(0.25) ? random.between(120, 260) : random.between(1, 5);
  return Array.from(
    { length: count },
    (_, index) => `operation ${number}, content ${index}: a ${WORDS[index % 3]} day`,
  );
}

/** Share of the operations on uploaded files. */
const FILES_SHARE = 0.15;
/** High, so that the steps of deleting files are reached soon on slow storage, too. */
const FILES_DELETED_SHARE = 0.5;

const WORDS = ["good", "bad", "plain"];
