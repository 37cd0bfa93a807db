import type { Reply, UpstreamRequest } from "../upstream/exchange.js";

const SECONDS_DEFAULT = 3600;

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Gives out tokens for the id and secret of an app, as `POST /api/v1/access_token` does. */
export class TokenDesk {
  /** How long new tokens last, in seconds. */
  lastsSeconds = SECONDS_DEFAULT;
  /** Whether the app has been taken away from its owner. */
  isRevoked = false;
  /** Tokens that it gave out. */
  given = 0;
  private readonly expiries = new Map<string, number>();

  constructor(
    private readonly credentials: Credentials,
    private readonly now: () => number,
  ) {}

  answer({ method, path, headers, body }: UpstreamRequest): Reply {
    if (method !== "POST" || path !== "/api/v1/access_token") return { status: 404, body: { error: 404 } };
    const { clientId, clientSecret } = this.credentials;
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    if (this.isRevoked || headers.authorization !== `Basic ${basic}`) {
      return { status: 401, body: { message: "Unauthorized", error: 401 } };
    }
    const grant = new URLSearchParams(body).get("grant_type");
    if (grant !== "client_credentials") return { status: 400, body: { error: "unsupported_grant_type" } };
    return { body: this.give() };
  }

  /** Whether a request has a token that is valid. */
  accepts({ headers }: UpstreamRequest): boolean {
    const [scheme = "", token = ""] = (headers.authorization ?? "").split(" ");
    return scheme.toLowerCase() === "bearer" && (this.expiries.get(token) ?? 0) > this.now();
  }

  /** Ends all tokens at once. */
  expireAll(): void {
    this.expiries.clear();
  }

  private give(): Record<string, unknown> {
    this.given += 1;
    const token = `demo-token-${this.given}`;
    this.expiries.set(token, this.now() + this.lastsSeconds * 1000);
    return { access_token: token, token_type: "bearer", expires_in: this.lastsSeconds, scope: "*" };
  }
}
