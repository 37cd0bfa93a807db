import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { reachable } from "./api.js";
import { queries } from "./queries.js";

/** Answered without a session and without work. */
const PROBE = "/healthz";
/** Pauses between looks for a server that is away: the first, and the longest. In milliseconds. */
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 15_000;

const back = new Set<() => void>();

/** Looks for a server that cannot be reached, and reads what is shown again once it can. Returns what ends that. */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasAway = false;
  const lookIn = (pause: number): void => {
    timer = setTimeout(() => {
      if (document.visibilityState === "hidden") {
        lookIn(PAUSE_MS_MAX);
        return;
      }
      fetch(PROBE, { cache: "no-store" }).then(
        () => (reachable.value = true),
        () => lookIn(Math.min(PAUSE_MS_MAX, pause * 2)),
      );
    }, pause);
  };
  const end = effect(() => {
    clearTimeout(timer);
    if (!reachable.value) {
      wasAway = true;
      lookIn(PAUSE_MS);
    } else if (wasAway) {
      wasAway = false;
      // Not as a part of this effect, which would depend on whatever they read.
      queueMicrotask(refresh);
    }
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}

function refresh(): void {
  void queries.invalidateQueries({ refetchType: "active" });
  for (const act of back) act();
}

/** Does something when the server can be reached again, such as reading what could not be read. */
export function useReconnected(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const run = (): void => latest.current();
    back.add(run);
    return () => void back.delete(run);
  }, []);
}
