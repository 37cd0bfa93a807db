/** A mistake in a field of a request. */
export interface FieldError {
  /** Its path, such as `contents[3]` or `query.sneak_peek`. */
  readonly field: string;
  readonly message: string;
  /** Where in the text of the field it stands, in UTF-16 code units; only of texts in the language of keywords. */
  readonly start?: number;
  /** Where it ends. */
  readonly end?: number;
}

/** A refusal or failure that the server answered with. */
export class HourglassError extends Error {
  override readonly name = "HourglassError";

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** For programs; stable, such as `operation_not_found`. */
    readonly code: string,
    /** Every wrong field. */
    readonly details: readonly FieldError[],
    /** Finds the request in the server's log. */
    readonly requestId: string | undefined,
    /** After how many seconds it is worth asking again; undefined if the server does not say. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message);
  }

  /** The same failure of a request whose first content is not the first of all: `contents[3]` becomes `contents[1003]`. */
  countedFrom(first: number): HourglassError {
    const shift = (text: string): string =>
      text.replace(/\bcontents\[(\d+)\]/g, (_, index: string) => `contents[${first + Number(index)}]`);
    const details = this.details.map((detail) => ({ ...detail, field: shift(detail.field) }));
    const { status, code, requestId, retryAfterSeconds: seconds } = this;
    return new HourglassError(shift(this.message), status, code, details, requestId, seconds);
  }
}

/** The failure that a response is; `body` is what it holds, read or parsed already. */
export function failureOf(response: Response, body: unknown): HourglassError {
  const { error, code, details } = (typeof body === "object" && body !== null ? body : {}) as {
    error?: string;
    code?: string;
    details?: readonly FieldError[];
  };
  return new HourglassError(
    error ?? `The server answered ${response.status}.`,
    response.status,
    code ?? "unknown",
    details ?? [],
    response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds(response.headers),
  );
}

/** After how many seconds it is worth asking again; the server states seconds, a proxy perhaps a date. */
export function retryAfterSeconds(headers: Headers): number | undefined {
  const stated = headers.get("retry-after");
  if (stated === null) return undefined;
  const seconds = /^\d+$/.test(stated) ? Number(stated) : (Date.parse(stated) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** Throws HourglassError if the response is no success. */
export async function requireSuccess(response: Response): Promise<void> {
  if (response.ok) return;
  const text = await response.text();
  throw failureOf(response, parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the answer of a proxy
  }
}
