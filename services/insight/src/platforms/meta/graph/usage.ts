import * as z from "zod";
import { headerOf, type JsonResponse } from "../../http-json.js";
import { maybe } from "../../schemas.js";
import { PlatformError } from "../../connector.js";

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
export function usageOf(response: Pick<JsonResponse, "headers">): Usage {
  const plain = ["x-app-usage", "x-page-usage"].flatMap((name) => readHeader(response, name, usageSchema) ?? []);
  const byUseCase = readHeader(response, "x-business-use-case-usage", byUseCaseSchema) ?? {};
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
export function regainAt(response: Pick<JsonResponse, "headers">, now: number): number | undefined {
  const { regainMinutes } = usageOf(response);
  return regainMinutes === 0 ? undefined : now + regainMinutes * MINUTE_MS;
}

function readHeader<T extends z.ZodType>(
  response: Pick<JsonResponse, "headers">,
  name: string,
  schema: T,
): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(headerOf(response, name))).data;
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
  note(response: Pick<JsonResponse, "headers">, now: number): void {
    this.usage = usageOf(response);
    this.at = now;
  }

  /** When requests may resume, in milliseconds since the epoch; undefined if they may now. */
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
    throw new PlatformError("budget", `${used} It will be retried at ${new Date(retryAt).toISOString()}.`, { retryAt });
  }
}
