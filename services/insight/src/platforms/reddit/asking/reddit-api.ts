import { AppTokens } from "../../app-tokens.js";
import { fetchJson, type JsonResponse } from "../../http-json.js";
import type { PlatformDeps } from "../../connector.js";
import { spendRequest } from "../../budget.js";
import { readToken } from "./answer.js";
import { failureOfToken, heldUntil, limitUsedUp, SERVICE } from "./failure.js";

const TOKEN_PATH = "/api/v1/access_token";
const BUDGET = "reddit.requests";

/** How the operator has Reddit asked. */
export interface RedditSettings {
  readonly credentials: { readonly clientId: string; readonly clientSecret: string; readonly userAgent: string };
  /** Address of the server that gives tokens. */
  readonly authUrl: string;
  readonly requestsPerMinute: number;
}

/** An answer, and how many requests it took, without those for tokens: these serve all searches. */
export interface RedditAnswer {
  readonly response: JsonResponse;
  readonly requests: number;
}

/** Reddit as one app of it sees it: its token and its limit of requests belong to all searches of this process. */
export class RedditApi {
  private readonly tokens: AppTokens;
  private heldUntil = 0;

  constructor(
    private readonly deps: Pick<PlatformDeps, "http" | "spend" | "declareBudget" | "now">,
    private readonly settings: RedditSettings,
  ) {
    this.tokens = new AppTokens(() => this.renew(), deps.now);
    deps.declareBudget?.({
      name: BUDGET,
      limit: settings.requestsPerMinute,
      period: "minute",
      units: "requests of Reddit",
    });
  }

  /**
   * Asks with a token that is valid: one that Reddit has ended early is renewed once. Throws PlatformError, also `budget`
   * before a request that Reddit's limit or the server's does not allow, and HttpFailure. An answer with any other status
   * is returned.
   */
  async ask(url: string, signal: AbortSignal): Promise<RedditAnswer> {
    const token = await this.tokens.get();
    signal.throwIfAborted();
    const response = await this.askWith(token, url, signal);
    if (response.status !== 401) return { response, requests: 1 };
    this.tokens.reject(token);
    const renewed = await this.tokens.get();
    signal.throwIfAborted();
    return { response: await this.askWith(renewed, url, signal), requests: 2 };
  }

  private askWith(token: string, url: string, signal: AbortSignal): Promise<JsonResponse> {
    return this.send({ url, headers: { Authorization: `Bearer ${token}` }, signal });
  }

  /** Has no signal: all searches that need a token wait for it. */
  private async renew(): Promise<{ value: string; expiresAt: number }> {
    const { credentials, authUrl } = this.settings;
    const { now } = this.deps;
    const { clientId, clientSecret } = credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const response = await this.send({
      url: new URL(TOKEN_PATH, authUrl).href,
      method: "POST",
      headers: { Authorization: `Basic ${basic}`, "Content-Type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials",
    });
    const token = response.status === 200 ? readToken(response.body) : undefined;
    if (token === undefined) throw failureOfToken(response, now());
    return { value: token.access_token, expiresAt: now() + token.expires_in * 1000 };
  }

  private async send(question: {
    url: string;
    method?: string;
    headers: Record<string, string>;
    body?: string;
    signal?: AbortSignal;
  }): Promise<JsonResponse> {
    const { http, now } = this.deps;
    const { requestsPerMinute, credentials } = this.settings;
    if (this.heldUntil > now()) throw limitUsedUp(this.heldUntil);
    await spendRequest(this.deps, { name: BUDGET, limit: requestsPerMinute, period: "minute" });
    const headers = { ...question.headers, "User-Agent": credentials.userAgent };
    const response = await fetchJson(http, { ...question, headers, service: SERVICE });
    this.heldUntil = Math.max(this.heldUntil, heldUntil(response, now()) ?? 0);
    return response;
  }
}
