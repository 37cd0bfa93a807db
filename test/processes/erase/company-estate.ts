import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, vi } from "vitest";
import { FORM_TYPE, formOf } from "../../rest/multipart.js";
import { EXPORTS, INSIGHTS, KEYS, lasting, OPERATIONS, SIGN_IN, UPLOAD } from "../../rest/routes.js";
import type { FeedItem, FeedServer } from "../../support/feed-server.js";
import type { Deployment } from "../../support/deployment.js";
import { png } from "../../support/png.js";
import { type Answer, sender, type SendOptions } from "../../support/server.js";
import { runAdmin } from "../admin-command.js";

const PASSWORD = "a password of theirs";
const JANUARY = { start_date: "2026-01-01", end_date: "2026-02-01" };
const POSTINGS = 60;

/** Where the estate is made. */
export interface Place {
  product: Deployment;
  /** The variables with the location of its state. */
  storage: Readonly<Record<string, string>>;
  /** Serves a feed at `/<marker>.xml`. */
  feeds: FeedServer;
}

/** All that a company can have in a product, marked by its own word in everything that can hold one. */
export class CompanyEstate {
  /** Answers that must stay what they are, by path. */
  private readonly answers = new Map<string, string>();
  private authorization = "";

  private constructor(
    readonly marker: string,
    private readonly place: Place,
  ) {}

  get company(): string {
    return `${this.marker} Ltd`;
  }

  get email(): string {
    return `ann.${this.marker}@example.com`;
  }

  /** The feed that the company follows. */
  static feedOf(marker: string): FeedItem[] {
    const link = `https://example.com/${marker}`;
    return [{ guid: link, title: `A ${marker}`, text: `It is a ${marker}.`, at: new Date() }];
  }

  static async build(marker: string, place: Place): Promise<CompanyEstate> {
    const estate = new CompanyEstate(marker, place);
    await estate.make();
    return estate;
  }

  /** The status of a sign-in. */
  async signIn(): Promise<number> {
    const body = { user: { email: this.email, password: PASSWORD } };
    const answer = await sender(this.place.product.url)("POST", SIGN_IN, { body });
    this.authorization = answer.headers.get("authorization") ?? this.authorization;
    return answer.status;
  }

  send(method: string, route: string, options: SendOptions = {}): Promise<Answer> {
    return sender(this.place.product.url)(method, route, { authorization: this.authorization, ...options });
  }

  /** Fails unless everything is served as before. */
  async expectServed(): Promise<void> {
    for (const [route, before] of this.answers) {
      const { status, text } = await this.send("GET", route);
      expect([route, status, lasting(text)]).toEqual([route, 200, before]);
    }
  }

  /** Creates an operation that takes long, and returns its path. */
  async beginLongWork(): Promise<string> {
    const contents = Array.from({ length: 1000 }, (_, index) => `The ${this.marker} museum number ${index} in Lisbon.`);
    const body = { type: "text", analyses: ["sentiment-simple", "topic", "intention"], contents };
    return this.create(OPERATIONS, body);
  }

  private async make(): Promise<void> {
    const { marker } = this;
    await this.admin("company", "create", "--name", this.company);
    await this.admin("user", "create", "--email", this.email, "--company", this.company, "--last-name", marker);
    expect(await this.signIn()).toBe(200);
    await this.addLogo();
    await this.create(KEYS, { name: marker, scopes: ["operations"] });
    const files = [await this.upload(1), await this.upload(2)];
    const text = { type: "text", analyses: ["sentiment-simple", "topic"] };
    const many = Array.from({ length: 900 }, (_, index) => `${marker} is a museum, number ${index}. `.repeat(20));
    const key = { "idempotency-key": `key-${marker}` };
    const operations = [
      await this.create(OPERATIONS, { type: "file", analyses: ["object-id"], contents: [idIn(files[1])] }),
      await this.create(OPERATIONS, { ...text, contents: [`I love ${marker}.`] }, key),
      await this.create(OPERATIONS, { ...text, contents: many, analyses: ["sentiment-simple"] }),
    ];
    const deleted = await this.create(OPERATIONS, { ...text, contents: [marker] }, { "idempotency-key": marker });
    expect((await this.send("DELETE", deleted)).status).toBeLessThan(300);
    const insight = await this.followed();
    const exported = await this.create(EXPORTS, { insight_search_ids: [idIn(insight)], ...JANUARY });
    for (const ended of [...operations, exported]) {
      expect((await this.send("GET", `${ended}?wait=60`)).body).toMatchObject({ status: "done" });
    }
    await this.eraseAuthor();
    const downloads = ["json", "csv"].map((format) => `${exported}/download?format=${format}`);
    // The export follows the erasure of postings.
    for (const download of downloads) {
      const left = async (): Promise<string> => (await this.send("GET", download)).text;
      await vi.waitFor(async () => expect((await left()).includes("author-6-")).toBe(false));
    }
    const summary = await this.send("GET", `${insight}/summary?start_date=2026-01-01&end_date=2026-02-01`);
    expect([summary.status, summary.text.includes(marker)]).toEqual([200, true]);
    for (const route of [files[0] ?? "", ...operations, `${insight}/postings?limit=200`, ...downloads]) {
      const { status, text: answer } = await this.send("GET", route);
      expect([route, status]).toEqual([route, 200]);
      this.answers.set(route, lasting(answer));
    }
  }

  private async addLogo(): Promise<void> {
    const file = path.join(this.place.storage["DATA_DIR"] ?? "", "..", `${this.marker}.png`);
    await writeFile(file, png({ width: 64, height: 64, words: this.marker }));
    await this.admin("logo", "add", "--company", this.company, "--name", this.marker, "--file", file);
    await rm(file);
  }

  private async upload(seed: number): Promise<string> {
    const picture = png({ width: 64, height: 64, seed, words: this.marker });
    const disposition = `name="file"; filename="${this.marker}.png"`;
    return this.create(UPLOAD, formOf([{ disposition, body: picture }]), {
      "content-type": FORM_TYPE,
      "idempotency-key": `${this.marker}-${seed}`,
    });
  }

  /** An insight with postings of a feed and imported ones, in whose numbers they are counted. */
  private async followed(): Promise<string> {
    const { marker } = this;
    const feeds = [this.place.feeds.url(`/${marker}.xml`)];
    const query = { keywords: marker, platforms: ["news", "reddit", "bluesky"], dimensions: ["textual"] };
    const insight = await this.create(
      INSIGHTS,
      { query: { ...query, follow: { feeds } } },
      { "idempotency-key": marker },
    );
    const lines = Array.from({ length: POSTINGS }, (_, number) =>
      JSON.stringify({
        ...{ platform: "reddit", social_id: `${marker}-${number}`, author_id: `author-${number % 7}-${marker}` },
        ...{ text_of_post: `${marker} is a museum in Lisbon, number ${number}. #${marker}`, author_name: marker },
        ...{ post_date: `1/${1 + (number % 28)}/2026`, post_time: "12:00:00" },
      }),
    );
    const headers = { "content-type": "application/x-ndjson", "idempotency-key": marker };
    expect((await this.send("POST", `${insight}/postings`, { headers, body: lines.join("\n") })).status).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await this.send("GET", `${insight}/postings?platform=news&limit=1`);
      expect(JSON.stringify(body)).toContain(marker);
    });
    return insight;
  }

  private async eraseAuthor(): Promise<void> {
    const author = `platform=reddit&author_id=author-6-${this.marker}`;
    const erased = await this.send("DELETE", `${INSIGHTS}/postings?${author}`);
    expect(erased.status, erased.text).toBeLessThan(300);
  }

  private async create(route: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
    const answer = await this.send("POST", route, { headers, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.headers.get("location") ?? "";
  }

  private async admin(...args: string[]): Promise<void> {
    const outcome = await runAdmin({ ...this.place.storage, ADMIN_PASSWORD: PASSWORD }, args);
    expect(outcome).toMatchObject({ code: 0 });
  }
}

function idIn(location = ""): number {
  return Number(location.split("/").at(-1));
}
