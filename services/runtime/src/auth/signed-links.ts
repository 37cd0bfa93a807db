import { createHmac, timingSafeEqual } from "node:crypto";
import type { SharedKey } from "../store/shared-key.js";

const LINK_TTL_SECONDS = 5 * 60;
/** Numbers, the last of which is the time of expiry in seconds since the epoch, then the signature. */
const TOKEN = /^(\d{1,16}(?:-\d{1,16}){1,8})\.([A-Za-z0-9_-]{43})$/;

interface LinkDeps {
  key: Pick<SharedKey, "read">;
  /** What the links lead to, such as `export-link`: a token for another purpose is none for this one. */
  purpose: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** A link that was issued: its token, and when it expires in milliseconds since the epoch. */
export interface IssuedLink {
  token: string;
  expiresAt: number;
}

/** Signs and checks the tokens of links. Every process that uses the store accepts the tokens of the others. */
export class SignedLinks {
  constructor(private readonly deps: LinkDeps) {}

  /** A token that carries these whole numbers and is valid for five minutes. */
  async issue(numbers: readonly number[]): Promise<IssuedLink> {
    const expiresAtSeconds = Math.floor(this.deps.now() / 1000) + LINK_TTL_SECONDS;
    const payload = [...numbers, expiresAtSeconds].join("-");
    return { token: `${payload}.${await this.sign(payload)}`, expiresAt: expiresAtSeconds * 1000 };
  }

  /** The numbers that a token carries; undefined if it was changed or has expired. */
  async read(token: string): Promise<number[] | undefined> {
    const [, payload = "", signature = ""] = TOKEN.exec(token) ?? [];
    const expected = await this.sign(payload);
    if (signature === "" || !timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined;
    const numbers = payload.split("-").map(Number);
    const expiresAtSeconds = numbers.pop() ?? 0;
    return expiresAtSeconds * 1000 > this.deps.now() ? numbers : undefined;
  }

  private async sign(payload: string): Promise<string> {
    const key = Buffer.from(await this.deps.key.read(), "base64url");
    return createHmac("sha256", key).update(`${this.deps.purpose} ${payload}`).digest("base64url");
  }
}
