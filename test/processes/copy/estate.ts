import { expect, vi } from "vitest";
import { FORM_TYPE, formOf } from "../../rest/multipart.js";
import { EXPORTS, INSIGHTS, lasting, OPERATIONS, SIGN_IN, UPLOAD } from "../../rest/routes.js";
import { Deployment } from "../../support/deployment.js";
import { png } from "../../support/png.js";
import { EMAIL, PASSWORD, sender, TEST_SETTINGS } from "../../support/server.js";
import { runAdmin } from "../admin-command.js";

const USER = { email: "ann@example.com", password: "a password of hers" };
const JANUARY = { start_date: "2026-01-01", end_date: "2026-02-01" };
const NDJSON = { "content-type": "application/x-ndjson" };

/** Starts the product in one process on a storage. */
export async function startProduct(storage: Readonly<Record<string, string>>): Promise<Deployment> {
  const env = { ...TEST_SETTINGS, ...storage, NEWS_FEEDS: "none", LEASE_SECONDS: "1" };
  const product = await Deployment.prepare({ topology: "one-process", env });
  product.start();
  await product.ready();
  return product;
}

async function signIn(url: string, { email, password }: typeof USER): Promise<string> {
  const answer = await sender(url)("POST", SIGN_IN, { body: { user: { email, password } } });
  return answer.headers.get("authorization") ?? `sign-in answered ${answer.status}`;
}

/** What one user has in a product: whatever a copy must bring along. */
export class Estate {
  private constructor(
    /** The Authorization header of a token from the first product. */
    private readonly authorization: string,
    /** Answers that must stay what they are, by path. */
    private readonly answers: ReadonlyMap<string, string>,
    /** Operations that were not finished when the first product died. */
    private readonly unfinished: readonly string[],
  ) {}

  /** Creates a user with operations, a file, an insight with postings and an export, and kills the product during work. */
  static async build(product: Deployment, storage: Readonly<Record<string, string>>): Promise<Estate> {
    const create = ["user", "create", "--email", USER.email, "--company", "Example"];
    expect(await runAdmin({ ...storage, ADMIN_PASSWORD: USER.password }, create)).toMatchObject({ code: 0 });
    const authorization = await signIn(product.url, USER);
    const send = sender(product.url);
    const post = async (route: string, body: unknown, headers: Record<string, string> = {}) => {
      const answer = await send("POST", route, { authorization, headers, body });
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer;
    };
    const locationOf = async (route: string, body: unknown, headers = {}) =>
      (await post(route, body, headers)).headers.get("location") ?? "";

    const form = { "content-type": FORM_TYPE };
    const upload = async (seed: number) =>
      locationOf(UPLOAD, formOf([{ body: png({ width: 64, height: 64, seed }) }]), form);
    const file = await upload(1);
    const files = [Number((await upload(2)).split("/").at(-1)), Number((await upload(3)).split("/").at(-1))];
    const operations = [
      await locationOf(OPERATIONS, { type: "file", analyses: ["object-id"], contents: files }),
      await locationOf(OPERATIONS, {
        type: "text",
        analyses: ["sentiment-simple", "topic"],
        contents: ["I ❤ Lisbon. \u0000"],
      }),
    ];
    const query = { keywords: "kestrel", platforms: ["reddit"], dimensions: ["textual"] };
    const insight = await locationOf(INSIGHTS, { query });
    const postings = ["a", "b"].map((id) => ({ platform: "reddit", social_id: id, text_of_post: `A kestrel ${id}.` }));
    const dated = postings.map((posting) =>
      JSON.stringify({ ...posting, post_date: "1/15/2026", post_time: "12:00:00" }),
    );
    await post(`${insight}/postings`, dated.join("\n"), NDJSON);
    const made = await locationOf(EXPORTS, { insight_search_ids: [Number(insight.split("/").at(-1))], ...JANUARY });
    for (const path of [...operations, made]) {
      const ended = await send("GET", `${path}?wait=60`, { authorization });
      expect(ended.body).toMatchObject({ status: "done" });
    }
    const downloads = ["json", "csv"].map((format) => `${made}/download?format=${format}`);
    const kept = [file, ...operations, `${insight}/postings`, made, ...downloads];
    const answers = new Map<string, string>();
    for (const path of kept) answers.set(path, lasting((await send("GET", path, { authorization })).text));

    const contents = Array.from({ length: 500 }, (_, index) => `Text number ${index} is about a museum in Lisbon.`);
    const unfinished = await Promise.all(
      [1, 2, 3].map(() => locationOf(OPERATIONS, { type: "text", analyses: ["sentiment-simple"], contents })),
    );
    await product.end("SIGKILL");
    return new Estate(authorization, answers, unfinished);
  }

  /** Fails unless everything is in the product, and it works on. Leaves another operation in it. */
  async expectIn(product: Deployment): Promise<void> {
    const send = sender(product.url);
    const { authorization } = this;
    for (const [path, before] of this.answers) {
      const { status, text } = await send("GET", path, { authorization });
      expect([path, status, lasting(text)]).toEqual([path, 200, before]);
    }
    for (const path of this.unfinished) {
      const status = async () => (await send("GET", `${path}?wait=10`, { authorization })).body;
      await vi.waitFor(async () => expect(await status()).toMatchObject({ status: "done" }), { timeout: 60_000 });
    }
    expect(await signIn(product.url, { email: EMAIL, password: PASSWORD })).toMatch(/^Bearer /);
    const renewed = await signIn(product.url, USER);
    const listed = await send("GET", `${OPERATIONS}?limit=200`, { authorization: renewed });
    const known = (listed.body as { operations: { id: number }[] }).operations.map(({ id }) => id);
    const body = { type: "text", analyses: ["sentiment-simple"], contents: ["I love it."] };
    const created = await send("POST", OPERATIONS, { authorization: renewed, body });
    const { id } = created.body as { id: number };
    expect(id).toBeGreaterThan(Math.max(...known));
    const ended = await send("GET", `${OPERATIONS}/${id}?wait=60`, { authorization: renewed });
    expect(ended.body).toMatchObject({ status: "done" });
  }
}
