import { createHmac } from "node:crypto";
import { fetchJson } from "../../http-json.js";
import { type PageRequest, type PlatformDeps, PlatformError, type PlatformSearch } from "../../connector.js";
import { spendRequest } from "../../budget.js";
import { errorOfResponse, type GraphAccess } from "./failure.js";
import { UsageGate } from "./usage.js";

/** How a platform asks the Graph API. */
export interface GraphSettings extends Omit<GraphAccess, "secrets"> {
  readonly baseUrl: string;
  /** Such as `v25.0`. */
  readonly version: string;
  readonly token: string;
  readonly appSecret: string | undefined;
  /** Requests in an hour. */
  readonly requests: { readonly name: string; readonly limit: number; readonly setting: string };
}

export type GraphParameters = Readonly<Record<string, string | undefined>>;

/** On whose behalf a request is sent. */
export interface GraphAsker extends Pick<PageRequest, "signal"> {
  readonly search: Pick<PlatformSearch, "preview">;
}

/** Meta's Graph API with one access token: requests within their budget, and what its errors mean. */
export class Graph {
  private readonly usage: UsageGate;
  private readonly access: GraphAccess;
  private readonly proof: string | undefined;

  constructor(
    private readonly deps: Pick<PlatformDeps, "http" | "spend" | "declareBudget" | "now">,
    private readonly settings: GraphSettings,
  ) {
    const { token, appSecret, service, requests } = settings;
    const { name, limit } = requests;
    deps.declareBudget?.({ name, limit, period: "hour", units: `requests of ${service}` });
    this.usage = new UsageGate(service);
    this.access = { ...settings, secrets: [token, ...(appSecret === undefined ? [] : [appSecret])] };
    this.proof = appSecret === undefined ? undefined : createHmac("sha256", appSecret).update(token).digest("hex");
  }

  /**
   * Asks for an object or an edge; the token stands in a header, not in the URL. Throws PlatformError, SourceError if it
   * is about this path alone, or HttpFailure.
   */
  async ask(path: string, parameters: GraphParameters, request: GraphAsker): Promise<unknown> {
    const { http, now } = this.deps;
    const { token, service } = this.settings;
    this.usage.mustBeOpen(now(), { isPreview: request.search.preview });
    await this.reserve();
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetchJson(http, {
      url: this.urlOf(path, parameters),
      headers,
      signal: request.signal,
      service,
    });
    this.usage.note(response, now());
    if (response.status !== 200) throw errorOfResponse(response, this.access, now());
    return response.body;
  }

  /** Earliest time of the next request, if Meta wants less of them, in milliseconds since the epoch. */
  get notBefore(): number | undefined {
    return this.usage.closedUntil(this.deps.now(), { isPreview: false });
  }

  private async reserve(): Promise<void> {
    const { name, limit, setting } = this.settings.requests;
    try {
      await spendRequest(this.deps, { name, limit, period: "hour" });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.retryAt === undefined) throw error;
      const until = new Date(error.retryAt).toISOString();
      const message = `The ${limit} requests an hour of ${setting} are used. It resumes at ${until}.`;
      throw new PlatformError("budget", message, { retryAt: error.retryAt, cause: error });
    }
  }

  private urlOf(path: string, parameters: GraphParameters): string {
    const url = new URL(`/${this.settings.version}${path}`, this.settings.baseUrl);
    const all = { ...parameters, appsecret_proof: this.proof };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }
}
