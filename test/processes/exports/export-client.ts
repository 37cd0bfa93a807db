import type { PatientAnswer, PatientClient } from "../crash-loop/patient-client.js";

const INSIGHTS = "/api/v2/products/insight";
const EXPORTS = `${INSIGHTS}/exports`;
/** A range that all imported postings are in. */
const RANGE = { start_date: "2026-01-01", end_date: "2026-02-01" };

export const FORMATS = ["json", "ndjson", "csv", "parquet"] as const;

export type Format = (typeof FORMATS)[number];

/** The bytes of an export in all formats. */
export type Bytes = Readonly<Record<Format, Buffer>>;

export interface ExportAnswer {
  id: number;
  status: string;
  error: string | null;
  rows: number | null;
}

/** A posting to import. */
export interface Own {
  socialId: string;
  authorId: string;
}

/** Calls of the owner of exports. Answers that no crash explains are broken promises. */
export class ExportClient {
  constructor(
    private readonly client: PatientClient,
    private readonly broken: string[],
  ) {}

  /** Creates an insight with these postings, and returns its id. */
  async found(key: string, postings: readonly Own[]): Promise<number> {
    const query = { keywords: "kestrel", platforms: ["twitter"], dimensions: ["textual"] };
    const created = await this.client.call("POST", INSIGHTS, { key, body: JSON.stringify({ query }) });
    const id = idIn(created);
    const body = postings.map((posting, index) => JSON.stringify(lineOf(posting, index))).join("\n");
    const sent = { key: `${key}-postings`, body, contentType: "application/x-ndjson" };
    const imported = await this.client.call("POST", `${INSIGHTS}/${id}/postings`, sent);
    if (imported.status !== 200) this.broken.push(`importing ${key} was answered ${described(imported)}`);
    return id;
  }

  /** Creates an export, or finds out its id if the key has one. */
  async create(key: string, insight: number): Promise<number> {
    const body = JSON.stringify({ ...RANGE, insight_search_ids: [insight] });
    const created = await this.client.call("POST", EXPORTS, { key, body });
    if (created.status !== 201) this.broken.push(`creating ${key} was answered ${described(created)}`);
    return idIn(created);
  }

  /** Undefined if there is none. */
  async read(id: number, waitSeconds = 0): Promise<ExportAnswer | undefined> {
    const answer = await this.client.call("GET", `${EXPORTS}/${id}?wait=${waitSeconds}`);
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) this.broken.push(`reading export ${id} was answered ${described(answer)}`);
    return JSON.parse(answer.text) as ExportAnswer;
  }

  /** Undefined if it cannot be downloaded, because it is not done or was deleted. */
  async download(id: number): Promise<Bytes | undefined> {
    const bytes: Partial<Record<Format, Buffer>> = {};
    for (const format of FORMATS) {
      const answer = await this.client.call("GET", `${EXPORTS}/${id}/download?format=${format}`);
      if (answer.status === 404 || answer.status === 409) return undefined;
      if (answer.status !== 200) this.broken.push(`downloading ${id} as ${format} was answered ${described(answer)}`);
      bytes[format] = answer.bytes;
    }
    return bytes as Bytes;
  }

  async delete(id: number): Promise<void> {
    const answer = await this.client.call("DELETE", `${EXPORTS}/${id}`);
    // 404 is correct if an earlier attempt succeeded and only its response was lost.
    if (answer.status !== 204 && answer.status !== 404) {
      this.broken.push(`deleting export ${id} was answered ${described(answer)}`);
    }
    if ((await this.read(id)) !== undefined) this.broken.push(`export ${id} was deleted and is still answered`);
  }

  /** Erases all postings of an author. */
  async erase(authorId: string): Promise<void> {
    const answer = await this.client.call("DELETE", `${INSIGHTS}/postings?platform=twitter&author_id=${authorId}`);
    if (answer.status !== 200) this.broken.push(`erasing ${authorId} was answered ${described(answer)}`);
  }
}

function idIn({ headers }: PatientAnswer): number {
  return Number(headers.get("location")?.split("/").at(-1));
}

function described({ status, text }: PatientAnswer): string {
  return `${status}: ${text.slice(0, 500)}`;
}

function lineOf({ socialId, authorId }: Own, index: number): unknown {
  const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
  return {
    platform: "twitter",
    social_id: socialId,
    author_id: authorId,
    text_of_post: `A kestrel hovers, and we are glad. Number ${index}.`,
    post_date: "1/1/2026",
    post_time: at.slice(11, 19),
  };
}
