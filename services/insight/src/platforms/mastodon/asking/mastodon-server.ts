import { fetchJson, type JsonResponse } from "../../http-json.js";
import { type PlatformDeps, PlatformError } from "../../connector.js";
import { spendRequest } from "../../budget.js";
import { errorOfResponse, heldUntil } from "./failure.js";

/** A server, and how often it may be asked. */
export interface MastodonSettings {
  readonly origin: string;
  readonly requestsPerMinute: number;
}

/** One server: its limit of requests belongs to all searches. */
export class MastodonServer {
  readonly host: string;
  private held = 0;

  constructor(
    private readonly deps: Pick<PlatformDeps, "http" | "spend" | "declareBudget" | "now">,
    private readonly settings: MastodonSettings,
  ) {
    this.host = new URL(settings.origin).host;
    deps.declareBudget?.({
      name: this.budget,
      limit: settings.requestsPerMinute,
      period: "minute",
      units: `requests of ${this.host}`,
    });
  }

  /** When the server takes requests again, by its own headers; undefined if it takes them now. */
  get notBefore(): number | undefined {
    return this.held > this.deps.now() ? this.held : undefined;
  }

  /**
   * Asks the server. Throws PlatformError, also `budget` before a request that its limit or this server's does not allow,
   * SourceError for what it does not show to the public, and HttpFailure.
   */
  async ask(path: string, parameters: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonResponse> {
    const { http, now } = this.deps;
    const { origin, requestsPerMinute: limit } = this.settings;
    if (this.notBefore !== undefined) {
      const message = `The limit of ${this.host} is used up. It resumes at ${new Date(this.notBefore).toISOString()}.`;
      throw new PlatformError("budget", message, { retryAt: this.notBefore });
    }
    await spendRequest(this.deps, { name: this.budget, limit, period: "minute" });
    const url = new URL(path, origin);
    url.search = new URLSearchParams(parameters).toString();
    const response = await fetchJson(http, { url: url.href, signal, service: this.host });
    this.held = Math.max(this.held, heldUntil(response, now()) ?? 0);
    if (response.status !== 200) throw errorOfResponse(response, this.host, now());
    return response;
  }

  private get budget(): string {
    return `mastodon.requests.${this.host}`;
  }
}
