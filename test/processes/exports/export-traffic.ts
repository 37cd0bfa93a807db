import type { Random } from "../crash-loop/random.js";
import { type Bytes, type ExportClient, FORMATS, type Own } from "./export-client.js";

/** Postings of the insight that nobody erases from: several messages of a stream. */
const STEADY = 450;
/** Postings, each of an author, of the insight from which authors are erased. */
const ERODING = 240;
const EXPORTS_MAX = 60;
/** Exports of one insight at a time: each erasure rewrites all that have the postings. */
const KEPT_MAX = 3;

export interface ExportTrafficOptions {
  client: ExportClient;
  random: Random;
  broken: string[];
}

/** An export, and what its owner knows of it. */
export interface PromisedExport {
  id: number;
  isSteady: boolean;
}

/** Owners who create, read and delete exports, and erase authors from one of two insights. */
export class ExportTraffic {
  /** Lifts all maxima: a step that must be reached needs traffic. */
  unlimited = false;
  created = 0;
  readonly erased: Own[] = [];
  readonly deleted: number[] = [];
  readonly kept: PromisedExport[] = [];
  /** The bytes of the insight that stays as it is, exported while nothing died. */
  undisturbed: Bytes | undefined;
  private readonly eroding = ownPostings("eroding", ERODING);
  private insights = { steady: 0, eroding: 0 };
  private stopped = false;
  private clients: Promise<void>[] = [];

  constructor(private readonly options: ExportTrafficOptions) {}

  /** Imports the postings, and exports them while nothing dies. */
  async prepare(): Promise<void> {
    const { client } = this.options;
    this.insights = {
      steady: await client.found("steady", ownPostings("steady", STEADY)),
      eroding: await client.found("eroding", this.eroding),
    };
    this.undisturbed = await this.exportOnce(true);
    await this.exportOnce(false);
  }

  /** What the insight from which authors are erased still holds. */
  get left(): string[] {
    const gone = new Set(this.erased.map(({ socialId }) => socialId));
    return this.eroding.map(({ socialId }) => socialId).filter((id) => !gone.has(id));
  }

  /** The bytes of an export that is made now; it is kept. */
  async exportOnce(isSteady: boolean): Promise<Bytes | undefined> {
    const { id } = await this.create(isSteady);
    await this.options.client.read(id, 60);
    return this.options.client.download(id);
  }

  start(clients: number): void {
    this.clients = Array.from({ length: clients }, () => this.run());
    for (const client of this.clients) client.catch(() => undefined); // reported when they are stopped
  }

  /** Lets the calls in progress finish. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async run(): Promise<void> {
    const { random } = this.options;
    while (!this.stopped) {
      const dice = random.next();
      if (this.kept.length > 2 * KEPT_MAX || dice < 0.15) await this.deleteOne();
      else if (dice < 0.5) await this.createOne();
      else if (dice < 0.65) await this.eraseOne();
      else await this.readOne();
      await pause(random.between(50, 200));
    }
  }

  private async createOne(): Promise<void> {
    if (this.created >= EXPORTS_MAX && !this.unlimited) return;
    const wanted = this.options.random.chance(0.5);
    if (this.kept.filter(({ isSteady }) => isSteady === wanted).length < KEPT_MAX) await this.create(wanted);
  }

  private async create(isSteady: boolean): Promise<PromisedExport> {
    const { client, random, broken } = this.options;
    const key = `export-${(this.created += 1)}`;
    const insight = isSteady ? this.insights.steady : this.insights.eroding;
    const promised = { id: await client.create(key, insight), isSteady };
    this.kept.push(promised);
    const again = random.chance(0.3) ? await client.create(key, insight) : promised.id;
    if (again !== promised.id) broken.push(`${key} gave ${promised.id}, then ${again}`);
    return promised;
  }

  /** One of each kind stays. */
  private async deleteOne(): Promise<void> {
    const { client, random } = this.options;
    const wanted = random.chance(0.5);
    const [first, ...others] = this.kept.filter(({ isSteady }) => isSteady === wanted);
    if (first === undefined || others.length === 0) return;
    const promised = random.of(others);
    this.kept.splice(this.kept.indexOf(promised), 1);
    this.deleted.push(promised.id);
    await client.delete(promised.id);
  }

  private async eraseOne(): Promise<void> {
    const own = this.eroding[this.erased.length];
    if (own === undefined || (this.erased.length >= ERODING / 2 && !this.unlimited)) return;
    this.erased.push(own);
    await this.options.client.erase(own.authorId);
  }

  /** A reader of an export gets the whole of it. */
  private async readOne(): Promise<void> {
    const { client, random, broken } = this.options;
    const promised = random.of(this.kept);
    const bytes = promised.isSteady ? await client.download(promised.id) : undefined;
    if (bytes !== undefined) broken.push(...differences(promised.id, bytes, this.undisturbed));
  }
}

/** Sentences about the formats in which an export differs from what it must be. */
export function differences(id: number, bytes: Bytes | undefined, expected: Bytes | undefined): string[] {
  return FORMATS.filter((format) => bytes === undefined || expected?.[format].equals(bytes[format]) !== true).map(
    (format) => `export ${id} has ${bytes?.[format].length} other bytes as ${format}, not ${expected?.[format].length}`,
  );
}

function ownPostings(name: string, count: number): Own[] {
  return Array.from({ length: count }, (_, index) => ({
    socialId: `${name}-${index}`,
    authorId: `${name}-author-${index}`,
  }));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
