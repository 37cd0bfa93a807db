import { type AppTokens, fetchAsApp } from "../../app-tokens.js";
import { fetchJson, type JsonResponse } from "../../http-json.js";
import { wasUnsent } from "../../budget.js";
import type { PageRequest, PlatformDeps } from "../../connector.js";
import type { PacedBudget } from "../../budget.js";
import { errorOfResponse, SERVICE } from "./failure.js";

/** How LinkedIn is asked. */
export interface LinkedinAccess {
  readonly baseUrl: string;
  /** Month of the API's version. */
  readonly version: string;
  /** Tokens that can be renewed, or one that cannot. */
  readonly tokens: AppTokens | string | undefined;
}

/** A request of Rest.li. */
export interface LinkedinQuestion {
  /** With its query, in the encoding of Rest.li. */
  readonly path: string;
  readonly method?: "FINDER" | "BATCH_GET";
}

type Asking = Pick<PageRequest, "search" | "signal">;

/** LinkedIn's API with versions: requests within their budget, and what its errors mean. */
export class LinkedinApi {
  constructor(
    private readonly deps: Pick<PlatformDeps, "http" | "now"> & { readonly budget: PacedBudget },
    private readonly access: LinkedinAccess,
  ) {}

  /** Throws PlatformError, SourceError if it is about one organisation alone, or HttpFailure. */
  async ask(question: LinkedinQuestion, asking: Asking): Promise<unknown> {
    const response = await this.response(question, asking);
    if (response.status !== 200) throw errorOfResponse(response, this.deps.now());
    return response.body;
  }

  /** As `ask`, for what a posting can do without: undefined if LinkedIn does not give it. */
  async askFor(question: LinkedinQuestion, asking: Asking): Promise<unknown> {
    const response = await this.response(question, asking);
    if ([400, 403, 404].includes(response.status)) return undefined;
    if (response.status !== 200) throw errorOfResponse(response, this.deps.now());
    return response.body;
  }

  private response(question: LinkedinQuestion, asking: Asking): Promise<JsonResponse> {
    const { tokens } = this.access;
    const send = (token: string): Promise<JsonResponse> => this.send(question, token, asking);
    return typeof tokens === "object" ? fetchAsApp(tokens, send) : send(tokens ?? "");
  }

  private async send(
    { path, method }: LinkedinQuestion,
    token: string,
    { search, signal }: Asking,
  ): Promise<JsonResponse> {
    const reservation = await this.deps.budget.reserve(1, search);
    const headers = {
      Authorization: `Bearer ${token}`,
      "LinkedIn-Version": this.access.version,
      "X-Restli-Protocol-Version": "2.0.0",
      ...(method !== undefined && { "X-RestLi-Method": method }),
    };
    const url = new URL(`/rest${path}`, this.access.baseUrl).href;
    try {
      return await fetchJson(this.deps.http, { url, headers, signal, service: SERVICE });
    } catch (error) {
      if (wasUnsent(error)) reservation.commit(0);
      throw error;
    }
  }
}
