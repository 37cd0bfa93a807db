import type { Connector, Page } from "../../platforms/connector.js";

/** How often searches are polled. */
export interface Cadence {
  intervalMs: number;
  /** Whether the operator has set the interval: it then goes before the connector's own, and before hints. */
  isExplicit: boolean;
}

/** At most this long after a permitted time, so that searches that wait for the same time do not start at once. */
const SPREAD_MS_MAX = 10_000;

/**
 * When a search is polled next: at its own phase of the interval, so that polls are spread evenly however they began, and
 * turns that were missed collapse into one. Never before the time that the platform permits.
 */
export function nextTurn(
  id: string,
  { cadence, connector, now }: { cadence: Cadence; connector: Pick<Connector, "intervalMinMs">; now: number },
  { hintNextAt, notBefore }: Pick<Page, "hintNextAt" | "notBefore"> = {},
): number {
  const { intervalMs, isExplicit } = cadence;
  const interval = isExplicit ? intervalMs : Math.max(intervalMs, connector.intervalMinMs);
  const earliest = Math.max(now + interval / 2, isExplicit ? 0 : (hintNextAt ?? 0));
  const slot = slotFrom(earliest, { interval, phase: fractionOf(id) * interval });
  return notBefore === undefined ? slot : Math.max(slot, spread(id, notBefore, interval));
}

/** A time soon after the given one, different for each search. */
export function spread(id: string, time: number, spreadMs = SPREAD_MS_MAX): number {
  return time + Math.floor(fractionOf(id) * Math.min(spreadMs, SPREAD_MS_MAX));
}

/** The first time of a phase that is not before the given one. */
function slotFrom(time: number, { interval, phase }: { interval: number; phase: number }): number {
  return Math.ceil(Math.ceil((time - phase) / interval) * interval + phase);
}

/** At least 0, less than 1, evenly distributed over ids (FNV-1a, mixed as in MurmurHash 3). */
function fractionOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
