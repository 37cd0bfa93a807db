import type { PatientClient } from "../crash-loop/patient-client.js";
import type { PromisedInsight } from "./promised-insight.js";

const INSIGHTS = "/api/v2/products/insight";
const PAGE = 200;
/** The days of what is imported; what is collected was posted in the last days. */
const IMPORTED_SPAN = "?start_date=2026-01-31&end_date=2026-02-01";

export interface InsightAnswer {
  id: number;
  status: string;
  query: { keywords: string };
  posting_count: number;
  unanalysed_count: number;
  platforms: { platform: string; state: string; last_error: string | null }[];
}

export interface PostingAnswer {
  social_id: string;
  text_of_post: string;
  intentions: string | null;
  more_info: { errors?: Record<string, string> } | null;
  platform: string;
}

/** A posting to import. */
export interface Own {
  socialId: string;
  text: string;
}

/** Calls of the owner of insights. Answers that no crash explains are broken promises. */
export class InsightClient {
  constructor(
    private readonly client: PatientClient,
    private readonly broken: string[],
    private readonly urlOf: (feed: string) => string,
  ) {}

  /** Creates it, or finds out its id if it exists. */
  async create(insight: PromisedInsight): Promise<void> {
    const sent = { key: insight.key, body: insight.body(this.urlOf) };
    const { status, headers, text } = await this.client.call("POST", INSIGHTS, sent);
    const id = Number(headers.get("location")?.split("/").at(-1));
    if (status !== 200) this.broken.push(`creating ${insight.key} was answered ${status}: ${text}`);
    else if (insight.id !== 0 && insight.id !== id) this.broken.push(`${insight.key} gave ${insight.id}, then ${id}`);
    else insight.id = id;
  }

  /** Undefined if there is none. */
  async read({ id }: PromisedInsight): Promise<InsightAnswer | undefined> {
    const { status, text } = await this.client.call("GET", `${INSIGHTS}/${id}`);
    if (status === 404) return undefined;
    if (status !== 200) this.broken.push(`reading insight ${id} was answered ${status}: ${text}`);
    return JSON.parse(text) as InsightAnswer;
  }

  /** All postings that it lists. */
  async postings({ id }: PromisedInsight): Promise<PostingAnswer[]> {
    const postings: PostingAnswer[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = `limit=${PAGE}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
      const { status, text } = await this.client.call("GET", `${INSIGHTS}/${id}/postings?${query}`);
      if (status !== 200) {
        this.broken.push(`listing the postings of ${id} was answered ${status}: ${text}`);
        break;
      }
      const page = JSON.parse(text) as { postings: PostingAnswer[]; next_cursor: string | null };
      postings.push(...page.postings);
      cursor = page.next_cursor;
    }
    return postings;
  }

  /** How many postings its summaries count. */
  async counted({ id }: PromisedInsight): Promise<number> {
    let sum = 0;
    for (const query of [IMPORTED_SPAN, ""]) {
      const { status, text } = await this.client.call("GET", `${INSIGHTS}/${id}/summary${query}`);
      if (status === 200) sum += (JSON.parse(text) as { totals: { postings: number } }).totals.postings;
      else this.broken.push(`the summary of ${id} was answered ${status}: ${text}`);
    }
    return sum;
  }

  async change({ id }: PromisedInsight, to: "pause" | "resume"): Promise<void> {
    const { status, text } = await this.client.call("PUT", `${INSIGHTS}/${id}/${to}`);
    if (status !== 200) this.broken.push(`${to} of ${id} was answered ${status}: ${text}`);
  }

  /** Gives it keywords that find the same. */
  async reword({ id }: PromisedInsight, keywords: string): Promise<void> {
    const sent = { body: JSON.stringify({ keywords }) };
    const { status, text } = await this.client.call("PATCH", `${INSIGHTS}/${id}`, sent);
    const answered = status === 200 ? (JSON.parse(text) as InsightAnswer).query.keywords : undefined;
    if (answered !== keywords) this.broken.push(`rewording ${id} as ${keywords} was answered ${status}: ${text}`);
  }

  async delete(insight: PromisedInsight): Promise<void> {
    insight.isDeleted = true;
    const route = `${INSIGHTS}/${insight.id}`;
    // 404 is correct if an earlier attempt succeeded and only its response was lost.
    const { status, text } = await this.client.call("DELETE", route);
    if (status !== 204 && status !== 404) this.broken.push(`deleting ${insight.id} was answered ${status}: ${text}`);
    if ((await this.read(insight)) !== undefined) this.broken.push(`${insight.id} was deleted and is still answered`);
  }

  /** Imports postings; the answer as it was received. */
  async import(
    { id }: PromisedInsight,
    key: string,
    postings: readonly Own[],
  ): Promise<{ status: number; text: string }> {
    const body = postings.map((posting) => JSON.stringify(lineOf(posting))).join("\n");
    const sent = { key, body, contentType: "application/x-ndjson" };
    return this.client.call("POST", `${INSIGHTS}/${id}/postings`, sent);
  }

  /** Erases a posting from all insights. */
  async erase(socialId: string): Promise<void> {
    const route = `${INSIGHTS}/postings?platform=twitter&social_id=${encodeURIComponent(socialId)}`;
    const { status, text } = await this.client.call("DELETE", route);
    if (status !== 200) this.broken.push(`erasing ${socialId} was answered ${status}: ${text}`);
  }
}

function lineOf({ socialId, text }: Own): unknown {
  const fixed = { platform: "twitter", post_date: "1/31/2026", post_time: "12:00:00" };
  return { social_id: socialId, text_of_post: text, ...fixed };
}
