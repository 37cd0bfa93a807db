import { askAsApp } from "../../asking/ask-as-app.js";
import type { AppTokens } from "../../asking/app-tokens.js";
import { askJson, type JsonAnswer } from "../../asking/ask-json.js";
import { wasUnsent } from "../../asking/unsent.js";
import type { PageRequest, PlatformDeps } from "../../port/platform.js";
import type { PacedBudget } from "../../spending/paced-budget.js";
import { failureOfAnswer, SERVICE } from "./failure.js";

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

  /** Throws PlatformError, SourceProblem if it is about one organisation alone, or HttpFailure. */
  async ask(question: LinkedinQuestion, asking: Asking): Promise<unknown> {
    const answer = await this.answer(question, asking);
    if (answer.status !== 200) throw failureOfAnswer(answer, this.deps.now());
    return answer.body;
  }

  /** As `ask`, for what a posting can do without: undefined if LinkedIn does not give it. */
  async askFor(question: LinkedinQuestion, asking: Asking): Promise<unknown> {
    const answer = await this.answer(question, asking);
    if ([400, 403, 404].includes(answer.status)) return undefined;
    if (answer.status !== 200) throw failureOfAnswer(answer, this.deps.now());
    return answer.body;
  }

  private answer(question: LinkedinQuestion, asking: Asking): Promise<JsonAnswer> {
    const { tokens } = this.access;
    const send = (token: string): Promise<JsonAnswer> => this.send(question, token, asking);
    return typeof tokens === "object" ? askAsApp(tokens, send) : send(tokens ?? "");
  }

  private async send(
    { path, method }: LinkedinQuestion,
    token: string,
    { search, signal }: Asking,
  ): Promise<JsonAnswer> {
    const reservation = await this.deps.budget.reserve(1, search);
    const headers = {
      Authorization: `Bearer ${token}`,
      "LinkedIn-Version": this.access.version,
      "X-Restli-Protocol-Version": "2.0.0",
      ...(method !== undefined && { "X-RestLi-Method": method }),
    };
    const url = new URL(`/rest${path}`, this.access.baseUrl).href;
    try {
      return await askJson(this.deps.http, { url, headers, signal, service: SERVICE });
    } catch (error) {
      if (wasUnsent(error)) reservation.settle(0);
      throw error;
    }
  }
}
