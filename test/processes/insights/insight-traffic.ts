import type { Random } from "../crash-loop/random.js";
import type { InsightClient, Own } from "./insight-client.js";
import { type Bird, BIRDS, type Press } from "./press.js";
import { PromisedInsight, type Wanted } from "./promised-insight.js";

export interface InsightTrafficOptions {
  client: InsightClient;
  random: Random;
  press: Press;
  broken: string[];
  /** Paths of feeds that do not exist are made of it. */
  brokenFeed: string;
}

/** The first insights are never deleted. */
const LASTING = 5;
const PREVIEWS_MAX = 3;
const IMPORTS_MAX = 40;
const SEARCHED: readonly Bird[] = ["kestrel", "falcon"];

/** Owners who create, read, change, pause, resume and delete insights, and import postings. */
export class InsightTraffic {
  readonly insights: PromisedInsight[] = [];
  /** Lifts all maxima: a step that must be reached needs traffic. */
  unlimited = false;
  imports = 0;
  previews = 0;
  pauses = 0;
  changes = 0;
  erasures = 0;
  private number = 0;
  private stopped = false;
  private clients: Promise<void>[] = [];

  constructor(private readonly options: InsightTrafficOptions) {}

  /** Creates an insight; only the caller uses one that is busy. */
  async found(wanted: Wanted, { isBusy = false, known = 0 } = {}): Promise<PromisedInsight> {
    const insight = new PromisedInsight(`insight-${(this.number += 1)}`, wanted, this.options.press, known);
    insight.isBusy = isBusy;
    await this.options.client.create(insight);
    if (this.options.random.chance(0.3)) await this.options.client.create(insight);
    this.insights.push(insight);
    return insight;
  }

  start(clients: number): void {
    this.clients = Array.from({ length: clients }, () => this.run());
    for (const client of this.clients) client.catch(() => undefined); // reported when they are stopped
  }

  /** Lets the calls in progress finish; each paused insight is resumed. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.clients);
  }

  private async run(): Promise<void> {
    const { random } = this.options;
    while (!this.stopped) {
      const lasting = this.insights.filter(({ isDeleted, isBusy, wanted }) => !isDeleted && !isBusy && !wanted.preview);
      const insight = random.of(lasting);
      const dice = random.next();
      if (dice < 0.25) await this.import(insight);
      else if (dice < 0.37) await this.pauseAndResume(insight);
      else if (dice < 0.45) await this.erase(insight);
      else if (dice < 0.52) await this.preview();
      else if (dice < 0.58) await this.reword(insight);
      // Some steps are those of failing feeds and of deletions only.
      else if (dice < (this.unlimited ? 0.92 : 0.66)) await this.createAndDelete();
      else await this.read(insight);
      await pause(random.between(20, 120));
    }
  }

  private async import(insight: PromisedInsight): Promise<void> {
    if (this.imports >= IMPORTS_MAX && !this.unlimited) return;
    insight.isBusy = true; // a pause would refuse it
    const { client, random, broken } = this.options;
    const { key, postings } = this.newImport();
    const first = await client.import(insight, key, postings);
    const expected = `{"accepted":${postings.length},"duplicates":0}`;
    if (first.status !== 200 || first.text !== expected) {
      broken.push(`import ${key} was answered ${first.status}: ${first.text} instead of ${expected}`);
    }
    if (random.chance(0.3)) {
      const again = await client.import(insight, key, postings);
      if (again.text !== first.text) broken.push(`import ${key} was answered ${first.text}, then ${again.text}`);
    }
    for (const { socialId, text } of postings) insight.imported.set(socialId, text);
    insight.isBusy = false;
  }

  private newImport(): { key: string; postings: Own[] } {
    const { random } = this.options;
    const number = (this.imports += 1);
    // Some are stored in several commits.
    const count = random.chance(0.1) ? 210 : random.between(1, 6);
    const postings = Array.from({ length: count }, (_, index) => ({
      socialId: `own-${number}-${index}`,
      text: `Our own ${random.of(BIRDS)} is fine, number ${number}, posting ${index}.`,
    }));
    return { key: `import-${number}`, postings };
  }

  /** Nothing may be stored from the answer to the pause until the resume. */
  private async pauseAndResume(insight: PromisedInsight): Promise<void> {
    insight.isBusy = true;
    const { client, random, broken } = this.options;
    this.pauses += 1;
    await client.change(insight, "pause");
    if (random.chance(0.3)) {
      await client.change(insight, "resume");
      await client.change(insight, "pause");
    }
    const before = await client.read(insight);
    if (random.chance(0.3)) await this.mustRefuse(insight);
    await pause(random.between(100, 1500));
    const after = await client.read(insight);
    if (before?.status !== "paused" || after?.status !== "paused") broken.push(`${insight.id} was paused and is not`);
    if (before?.posting_count !== after?.posting_count) {
      broken.push(`${insight.id} was paused at ${before?.posting_count} postings and has ${after?.posting_count}`);
    }
    await client.change(insight, "resume");
    insight.isBusy = false;
  }

  /** The next version of its query finds what the one before has not collected. */
  private async reword(insight: PromisedInsight): Promise<void> {
    insight.isBusy = true; // its keywords must be those that were given last
    this.changes += 1;
    await this.options.client.reword(insight, insight.keywords(this.changes));
    insight.isBusy = false;
  }

  private async mustRefuse(insight: PromisedInsight): Promise<void> {
    const { key, postings } = this.newImport();
    const { status } = await this.options.client.import(insight, key, postings);
    if (status !== 400) this.options.broken.push(`${insight.id} is paused and an import was answered ${status}`);
  }

  /** Some have a feed that cannot be read. */
  private async createAndDelete(): Promise<void> {
    const { client, random, press, brokenFeed } = this.options;
    const feed = random.chance(0.5) ? `${brokenFeed}-${this.number}` : random.of(press.feeds);
    const insight = await this.found({ birds: SEARCHED, feeds: [feed] }, { isBusy: true });
    if (random.chance(0.5)) {
      const { key, postings } = this.newImport();
      await client.import(insight, key, postings);
    }
    await pause(random.between(500, 3000));
    await client.delete(insight);
  }

  private async preview(): Promise<void> {
    if (this.previews >= PREVIEWS_MAX && !this.unlimited) return;
    this.previews += 1;
    const { press, random } = this.options;
    const bird = random.of(SEARCHED);
    const known = await this.countKnown(bird);
    await this.found({ birds: [bird], feeds: [...press.feeds], preview: true }, { known });
  }

  /** Items that other insights hold, so that no interval or claim of a feed delays them. */
  private async countKnown(bird: Bird): Promise<number> {
    const { client, press } = this.options;
    const lasting = this.insights.filter(({ isDeleted, wanted }) => !isDeleted && !wanted.preview);
    const lists = await Promise.all(lasting.slice(0, LASTING).map((insight) => client.postings(insight)));
    const held = new Set(lists.flat().map(({ social_id }) => social_id));
    return [...press.found([bird], press.feeds).keys()].filter((guid) => held.has(guid)).length;
  }

  private async erase(insight: PromisedInsight): Promise<void> {
    const [socialId] = [...insight.imported.keys()];
    if (socialId === undefined) return;
    this.erasures += 1;
    insight.isBusy = true; // the count of a paused one must not change
    insight.imported.delete(socialId);
    await this.options.client.erase(socialId);
    insight.isBusy = false;
  }

  private async read(insight: PromisedInsight): Promise<void> {
    const answer = await this.options.client.read(insight);
    if (answer === undefined && !insight.isDeleted) this.options.broken.push(`${insight.id} is no longer answered`);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
