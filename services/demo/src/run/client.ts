import { DemoError } from "./options.js";

const API = "/api/v2/products";

/** The first user of the demo. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** An insight, as far as the demo reads it. */
export interface InsightState {
  readonly status: string;
  readonly posting_count: number;
  readonly unanalysed_count: number;
  readonly platforms: readonly {
    readonly platform: string;
    readonly state: string;
    readonly last_error: string | null;
    readonly counts: { readonly stored: number };
  }[];
}

/** Requests of one signed-in user over REST. */
export class Client {
  private constructor(
    private readonly url: string,
    private readonly authorization: string,
  ) {}

  /** Signs in. Throws DemoError. */
  static async signIn(url: string, user: Credentials): Promise<Client> {
    const response = await fetch(`${url}/api/v1/users/sign_in`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user }),
    });
    const authorization = response.headers.get("authorization");
    if (authorization === null) throw new DemoError(`The sign-in was answered ${response.status}.`);
    return new Client(url, authorization);
  }

  /** Creates an insight and returns its id. */
  async create(query: Readonly<Record<string, unknown>>): Promise<number> {
    const response = await this.send("POST", "/insight", JSON.stringify({ query }));
    return Number(response.headers.get("location")?.split("/").at(-1));
  }

  async read(id: number): Promise<InsightState> {
    const response = await this.send("GET", `/insight/${id}`);
    return (await response.json()) as InsightState;
  }

  async pause(id: number): Promise<void> {
    await this.send("PUT", `/insight/${id}/pause`);
  }

  /** Brings postings in that no platform gives out any more. */
  async bringIn(id: number, rows: readonly object[]): Promise<void> {
    const lines = rows.map((row) => JSON.stringify(row)).join("\n");
    await this.send("POST", `/insight/${id}/postings`, lines, "application/x-ndjson");
  }

  private async send(method: string, path: string, body?: string, type = "application/json"): Promise<Response> {
    const headers = { Authorization: this.authorization, ...(body !== undefined && { "Content-Type": type }) };
    const response = await fetch(this.url + API + path, { method, headers, ...(body !== undefined && { body }) });
    if (response.ok) return response;
    throw new DemoError(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
  }
}
