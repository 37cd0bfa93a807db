import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { answered, api } from "./api.js";
import type { ModelCard } from "./quality.js";
import { outdate, useQuery } from "./queries.js";

type Schemas = components["schemas"];
export type ApiKey = Schemas["ApiKey"];
export type NewApiKey = Schemas["NewApiKey"];
export type KeyScope = Schemas["KeyScope"];
export type CompanyUser = Schemas["CompanyUser"];
export type NewUser = Schemas["NewUser"];
export type UserChange = Schemas["UserChange"];
export type Role = Schemas["Role"];
export type PlatformInfo = Schemas["PlatformInfo"];
export type AuditEvent = Schemas["AuditEvent"];

/** More keys or users than this a company sees only by the interface. */
const LISTED_MAX = 200;
const HOUR_MS = 3_600_000;

/** The API keys of the company. */
export function useApiKeys(): QueryObserverResult<readonly ApiKey[]> {
  return useQuery<readonly ApiKey[]>({
    queryKey: ["keys"],
    queryFn: async ({ signal }) =>
      (await answered(api.GET("/api/v2/keys", { params: { query: { limit: LISTED_MAX } }, signal }))).keys,
  });
}

/** Makes an API key and returns it; nobody can read it again. */
export async function createApiKey(key: NewApiKey): Promise<string> {
  const created = await answered(api.POST("/api/v2/keys", { body: key }));
  await outdate(["keys"]);
  return created.key;
}

/** Ends an API key at once. */
export async function revokeApiKey(id: number, keepalive: boolean): Promise<void> {
  await api.DELETE("/api/v2/keys/{id}", { params: { path: { id } }, keepalive });
}

/** The users of the company. */
export function useUsers(): QueryObserverResult<readonly CompanyUser[]> {
  return useQuery<readonly CompanyUser[]>({
    queryKey: ["users"],
    queryFn: async ({ signal }) =>
      (await answered(api.GET("/api/v2/users", { params: { query: { limit: LISTED_MAX } }, signal }))).users,
  });
}

/** Makes a user and returns the generated password; nobody can read it again. */
export async function createUser(user: NewUser): Promise<string> {
  const created = await answered(api.POST("/api/v2/users", { body: user }));
  await outdate(["users"]);
  return created.password;
}

/** Changes a user. */
export async function changeUser(id: number, change: UserChange): Promise<number> {
  const { keys_ended: ended } = await answered(
    api.PATCH("/api/v2/users/{id}", { params: { path: { id } }, body: change }),
  );
  await outdate(["users"], ["keys"], ["me"]);
  return ended.length;
}

/** Deletes a user, whose sessions and keys end. */
export async function deleteUser(id: number, keepalive: boolean): Promise<void> {
  await api.DELETE("/api/v2/users/{id}", { params: { path: { id } }, keepalive });
}

/** Changes the password of the signed-in user; their other sessions end. */
export async function changePassword(current: string, password: string): Promise<void> {
  await api.PUT("/api/v2/me/password", { body: { current_password: current, password } });
}

/** The platforms: which are ready, and what the others need. */
export function usePlatforms(): QueryObserverResult<readonly PlatformInfo[]> {
  return useQuery<readonly PlatformInfo[]>({
    queryKey: ["platforms"],
    queryFn: async ({ signal }) =>
      (await answered(api.GET("/api/v2/products/insight/platforms", { signal }))).platforms,
    staleTime: 60_000,
  });
}

/** What each analysis is for, and how well it was measured. */
export function useModels(): QueryObserverResult<readonly ModelCard[]> {
  return useQuery<readonly ModelCard[]>({
    queryKey: ["models"],
    queryFn: async ({ signal }) => (await answered(api.GET("/api/v2/models", { signal }))).models,
    staleTime: HOUR_MS,
  });
}

/** What was done in the company, newest first. */
export function useAudit(): QueryObserverResult<readonly AuditEvent[]> {
  return useQuery<readonly AuditEvent[]>({
    queryKey: ["audit"],
    queryFn: async ({ signal }) =>
      (await answered(api.GET("/api/v2/audit", { params: { query: { limit: LISTED_MAX } }, signal }))).events,
  });
}
