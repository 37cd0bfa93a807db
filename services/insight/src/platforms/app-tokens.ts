import type { JsonResponse } from "./http-json.js";

/** What a platform gives an app in exchange for its id and secret. */
export interface AppToken {
  readonly value: string;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A token is renewed this long before it expires, so that it lasts for a request. */
const MARGIN_MS = 60_000;

/** The token of an app, renewed before it expires. Requests that need one at the same time wait for the same renewal. */
export class AppTokens {
  private current: AppToken | undefined;
  private renewal: Promise<AppToken> | undefined;

  constructor(
    private readonly renew: () => Promise<AppToken>,
    private readonly now: () => number,
  ) {}

  /** A token that is valid now. Throws what the renewal throws; the next call renews again. */
  async get(): Promise<string> {
    if (this.current !== undefined && this.current.expiresAt - MARGIN_MS > this.now()) return this.current.value;
    this.renewal ??= this.renewed();
    return (await this.renewal).value;
  }

  /** The platform no longer accepts this token, whatever time it stated. */
  reject(value: string): void {
    if (this.current?.value === value) this.current = undefined;
  }

  private async renewed(): Promise<AppToken> {
    try {
      this.current = await this.renew();
      return this.current;
    } finally {
      this.renewal = undefined;
    }
  }
}

/**
 * Asks with the token of an app; if the platform rejects it, again with a new one. The answer may still be a rejection.
 * `ask` sends one request.
 */
export async function fetchAsApp(
  tokens: AppTokens,
  ask: (token: string) => Promise<JsonResponse>,
  isRejected: (response: JsonResponse) => boolean = ({ status }) => status === 401,
): Promise<JsonResponse> {
  const token = await tokens.get();
  const response = await ask(token);
  if (!isRejected(response)) return response;
  tokens.reject(token);
  return ask(await tokens.get());
}
