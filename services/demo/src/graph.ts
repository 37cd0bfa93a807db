import type { Reply } from "./upstream.js";

/** What an error of the Graph API states beside its code. */
interface GraphErrorDetails {
  readonly status?: number;
  readonly subcode?: number;
  readonly type?: string;
  readonly isTransient?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

const MESSAGES: Readonly<Record<number, string>> = {
  1: "An unknown error occurred",
  2: "Service temporarily unavailable",
  4: "(#4) Application request limit reached",
  10: "(#10) This endpoint requires the 'pages_read_engagement' permission or the 'Page Public Content Access' feature.",
  17: "(#17) User request limit reached",
  18: "(#18) You have exceeded the maximum number of unique hashtags for this user within a 7 day period.",
  24: "(#24) The requested resource does not exist",
  32: "(#32) Page request limit reached",
  100: "(#100) Unsupported get request. Object does not exist or does not support this operation.",
  110: "(#110) Invalid user id",
  190: "Error validating access token: Session has expired.",
  200: "(#200) Requires pages_read_engagement permission to manage the object.",
  368: "(#368) The action attempted has been deemed abusive or is otherwise disallowed.",
  613: "(#613) Calls to this api have exceeded the rate limit.",
  803: "(#803) Some of the aliases you requested do not exist.",
  80001: "(#80001) There have been too many calls to this Page account.",
  80002: "(#80002) There have been too many calls to this Instagram account.",
};
const STATUSES: Readonly<Record<number, number>> = { 1: 500, 2: 503, 4: 403, 10: 403, 190: 401, 200: 403, 803: 404 };

/** An error of the Graph API. Default message and status: those of the code. */
export function graphError(
  code: number,
  message?: string,
  details: GraphErrorDetails = {},
): Reply & { status: number } {
  const { status = STATUSES[code] ?? 400, subcode, type = "OAuthException", isTransient, headers = {} } = details;
  const error = {
    message: message ?? MESSAGES[code] ?? `(#${code}) Error`,
    type,
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    ...(isTransient !== undefined && { is_transient: isTransient }),
    fbtrace_id: "AdemoTraceOfAFake",
  };
  const challenge = { "WWW-Authenticate": `OAuth "Facebook Platform" "invalid_request" "${error.message}"` };
  return { status, headers: { ...(status === 401 && challenge), ...headers }, body: { error } };
}

/** A request that the Graph API refuses. */
export class GraphRefused extends Error {
  override readonly name = "GraphRefused";

  constructor(readonly reply: Reply) {
    super("refused");
  }
}

/** A field of a request: its name, its modifiers `.name(value)`, and its own fields. */
export interface RequestedField {
  readonly name: string;
  readonly modifiers: Readonly<Record<string, string>>;
  readonly fields: readonly RequestedField[];
}

/** Reads the parameter `fields` of the Graph API, such as `id,comments.limit(5){message}`. Throws SyntaxError. */
export function readFields(text: string): RequestedField[] {
  const reader = new Reader(text);
  const fields = reader.fields();
  if (!reader.isAtEnd) throw new SyntaxError("The fields are not well formed.");
  return fields;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  fields(): RequestedField[] {
    const found = [this.field()];
    while (this.takes(",")) found.push(this.field());
    return found;
  }

  private field(): RequestedField {
    const name = this.word();
    const modifiers: Record<string, string> = {};
    while (this.takes(".")) {
      const modifier = this.word();
      this.mustTake("(");
      const end = this.text.indexOf(")", this.at);
      if (end === -1) throw new SyntaxError("A parenthesis is open.");
      modifiers[modifier] = this.text.slice(this.at, end);
      this.at = end + 1;
    }
    if (!this.takes("{")) return { name, modifiers, fields: [] };
    const fields = this.fields();
    this.mustTake("}");
    return { name, modifiers, fields };
  }

  private word(): string {
    const [word = ""] = /^\w+/.exec(this.text.slice(this.at)) ?? [];
    if (word === "") throw new SyntaxError(`A name is missing at ${this.at}.`);
    this.at += word.length;
    return word;
  }

  private takes(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private mustTake(sign: string): void {
    if (!this.takes(sign)) throw new SyntaxError(`A ${sign} is missing at ${this.at}.`);
  }
}

/** A time as the Graph API writes it, such as `2026-11-20T08:09:52+0000`. */
export function graphTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, "2026-11-20T08:09:52".length)}+0000`;
}
