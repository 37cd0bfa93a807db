import { HourglassError } from "@hourglass/client";
import {
  QueryClient,
  QueryObserver,
  type QueryKey,
  type QueryObserverOptions,
  type QueryObserverResult,
} from "@tanstack/query-core";
import { useEffect, useReducer, useRef } from "preact/hooks";
import { canBeStopped } from "./reading.js";

/** A failure that a second try may mend: no answer at all, or one of a proxy. In tries. */
const TRIES_MAX = 2;
const PAUSE_MS_MAX = 300_000;

/** What the console has read, and when. A number that is older than this is read again when it is shown. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => !(error instanceof HourglassError) && failures < TRIES_MAX,
      retryDelay: (failures) => 500 * 2 ** failures,
      refetchOnWindowFocus: true,
    },
  },
});
queries.mount();

/** What is read, of a component that is shown; reads it again when `options` change. */
export function useQuery<T>(options: QueryObserverOptions<T>): QueryObserverResult<T> {
  const [, update] = useReducer((count: number) => count + 1, 0);
  const kept = useRef<QueryObserver<T>>(undefined);
  const observer = (kept.current ??= new QueryObserver<T>(queries, options));
  const result = observer.getOptimisticResult(queries.defaultQueryOptions(options));
  canBeStopped(result, () => void queries.cancelQueries({ queryKey: options.queryKey, exact: true }));
  useEffect(() => observer.setOptions(options));
  useEffect(() => {
    const end = observer.subscribe(() => update(0));
    // It may have been read between the first rendering and now.
    update(0);
    return end;
  }, [observer]);
  return result;
}

/**
 * Reads again every so many milliseconds, while the tab is visible. During trouble the pause is as long as the trouble has
 * lasted: it doubles with each failure.
 */
export function every(
  ms: number,
): (query: { readonly state: { readonly error: unknown; readonly dataUpdatedAt: number } }) => number {
  return ({ state }) =>
    state.error === null ? ms : Math.min(PAUSE_MS_MAX, Math.max(ms, Date.now() - state.dataUpdatedAt));
}

/** Marks what was read as outdated, by the beginnings of keys: what is shown is read again. */
export async function outdate(...keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
}
