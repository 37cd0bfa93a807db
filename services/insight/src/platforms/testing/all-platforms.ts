import { type Fakes, settingsFor } from "@hourglass/demo";
import { createHttpClient, type HttpClient } from "@hourglass/runtime";
import * as z from "zod";
import { parseQuery } from "../../query/parser.js";
import { EVERYWHERE } from "../places.js";
import type { Connector, PageRequest, PlatformDeps, PlatformModule } from "../connector.js";

const DAY_MS = 24 * 60 * 60_000;

/** A client for the fakes. */
export function clientOf(modules: readonly PlatformModule[], settings: Readonly<Record<string, string>>): HttpClient {
  const trustedOrigins = modules.flatMap((module) => module.origins(valuesOf(module, settings)));
  return createHttpClient({ trustedOrigins, redirectsMax: 5 });
}

/** The connector of a platform that asks a fake. Throws if settings are missing. */
export async function connectorOf(
  module: PlatformModule,
  deps: Omit<PlatformDeps, "collectInterval">,
  { fakes, settings }: { fakes: Fakes; settings: Readonly<Record<string, string>> },
): Promise<Connector> {
  const collectInterval = { intervalMs: 1000, isExplicit: true };
  const values = valuesOf(module, { ...settingsFor(fakes), ...settings });
  const readiness = await module.open({ ...deps, collectInterval }, values);
  if ("missing" in readiness) throw new Error(readiness.missing);
  return readiness.connector;
}

/** A request for the first page of a search for what the invented stream is about. */
export function requestAt(now: number, values: Partial<PageRequest> = {}): PageRequest {
  const follow = { feeds: [], subreddits: [], pages: [], organisations: [] };
  return {
    search: { query: parseQuery("kestrel OR merlin OR osprey"), places: EVERYWHERE, follow, preview: false },
    cursor: null,
    pageToken: null,
    since: now - 6 * DAY_MS,
    startedAt: now,
    limit: 100,
    signal: new AbortController().signal,
    ...values,
  };
}

function valuesOf(module: PlatformModule, settings: Readonly<Record<string, string>>) {
  return z.object(module.variables).parse(settings);
}
