import * as z from "zod";
import type { JsonAnswer } from "../../asking/ask-json.js";
import { maybe } from "../../asking/lenient.js";
import { headerOf } from "../../asking/retry-time.js";
import { PlatformError } from "../../port/platform-error.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const REGAIN_MINUTES_MAX = 24 * 60;
/** Percent of what Meta allows in an hour: continuous searches stop earlier than previews. */
const PERCENT_MAX = 80;
const PREVIEW_PERCENT_MAX = 95;

const share = maybe(z.number().nonnegative());
const usageSchema = z.object({
  call_count: share,
  total_time: share,
  total_cputime: share,
  estimated_time_to_regain_access: share,
});
const byUseCaseSchema = z.record(z.string(), z.array(usageSchema));

type UsageHeader = z.output<typeof usageSchema>;

/** What the headers of an answer state about the use of the last hour. */
export interface Usage {
  /** The highest share, in percent. */
  readonly percent: number;
  /** Minutes without access. */
  readonly regainMinutes: number;
}

/** The usage that an answer states; zero where it states none. */
export function usageOf(answer: Pick<JsonAnswer, "headers">): Usage {
  const plain = ["x-app-usage", "x-page-usage"].flatMap((name) => readHeader(answer, name, usageSchema) ?? []);
  const byUseCase = readHeader(answer, "x-business-use-case-usage", byUseCaseSchema) ?? {};
  const stated: UsageHeader[] = [...plain, ...Object.values(byUseCase).flat()];
  const shares = stated.flatMap(({ call_count: calls = 0, total_time: time = 0, total_cputime: cpu = 0 }) => [
    calls,
    time,
    cpu,
  ]);
  const regain = stated.map(({ estimated_time_to_regain_access: minutes = 0 }) =>
    Math.min(minutes, REGAIN_MINUTES_MAX),
  );
  return { percent: Math.max(0, ...shares), regainMinutes: Math.max(0, ...regain) };
}

/** When access returns, in milliseconds since the epoch; undefined if the answer does not state it. */
export function regainAt(answer: Pick<JsonAnswer, "headers">, now: number): number | undefined {
  const { regainMinutes } = usageOf(answer);
  return regainMinutes === 0 ? undefined : now + regainMinutes * MINUTE_MS;
}

function readHeader<T extends z.ZodType>(
  answer: Pick<JsonAnswer, "headers">,
  name: string,
  schema: T,
): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(headerOf(answer, name))).data;
  } catch {
    return undefined;
  }
}

/** Keeps requests back while most of what Meta allows in an hour is used; it counts the last 60 minutes. */
export class UsageGate {
  private usage: Usage = { percent: 0, regainMinutes: 0 };
  private at = 0;

  constructor(private readonly service: string) {}

  /** Notes what an answer states. */
  note(answer: Pick<JsonAnswer, "headers">, now: number): void {
    this.usage = usageOf(answer);
    this.at = now;
  }

  /** When requests may go on, in milliseconds since the epoch; undefined if they may now. */
  closedUntil(now: number, { isPreview }: { readonly isPreview: boolean }): number | undefined {
    const { percent, regainMinutes } = this.usage;
    const excess = percent - (isPreview ? PREVIEW_PERCENT_MAX : PERCENT_MAX);
    const waitMs = excess < 0 ? 0 : Math.min(HOUR_MS, (excess / 100) * HOUR_MS + MINUTE_MS);
    const until = Math.ceil(this.at + Math.max(waitMs, regainMinutes * MINUTE_MS));
    return until > now ? until : undefined;
  }

  /** Throws PlatformError `budget` while requests are kept back. */
  mustBeOpen(now: number, spender: { readonly isPreview: boolean }): void {
    const retryAt = this.closedUntil(now, spender);
    if (retryAt === undefined) return;
    const used = `${this.service} says that ${Math.round(this.usage.percent)} % of what it allows in an hour are used.`;
    throw new PlatformError("budget", `${used} It is asked again at ${new Date(retryAt).toISOString()}.`, { retryAt });
  }
}
