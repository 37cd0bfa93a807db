import type { components } from "@hourglass/client";
import { signal } from "@preact/signals";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import { every, useQuery } from "./queries.js";
import { session } from "./session.js";

export type Server = components["schemas"]["Server"];
export type Me = components["schemas"]["Me"];

/** How often the server is asked whether it is still the same. In milliseconds. */
const VERSION_MS = 300_000;

/** Whether the server has another version than this page. */
export const isUpdated = signal(false);
let version: string | undefined;

/** What the server is and can do. */
export function useServer(): QueryObserverResult<Server> {
  return useQuery<Server>({
    queryKey: ["server"],
    queryFn: async ({ signal }) => {
      const data = await answered(api.GET("/api/v2/server", { signal }));
      const own = `${data.version} ${data.revision ?? ""}`;
      version ??= own;
      isUpdated.value = own !== version;
      return data;
    },
    enabled: session.state.value === "signed-in",
    staleTime: VERSION_MS,
    refetchInterval: every(VERSION_MS),
  });
}

/** Who is signed in. */
export function useMe(): QueryObserverResult<Me> {
  return useQuery<Me>({
    queryKey: ["me"],
    queryFn: ({ signal }) => answered(api.GET("/api/v2/me", { signal })),
    enabled: session.state.value === "signed-in",
    staleTime: VERSION_MS,
  });
}

/** The command that cures what the server lacks, to be copied; undefined if something else has to be done. */
export function commandOf({ cure }: Pick<Server["analyses"][number], "cure">): string | undefined {
  return /^Run (npm run .*)\.$/.exec(cure ?? "")?.[1];
}
