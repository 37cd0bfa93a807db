import type { components } from "@hourglass/client";
import type { QueryObserverResult } from "@tanstack/query-core";
import { useEffect, useState } from "preact/hooks";
import { answered, api } from "./api.js";
import { outdate, useQuery } from "./queries.js";

export type StoredFile = components["schemas"]["StoredFile"];
export type PreviewWidth = components["schemas"]["PreviewWidth"];

/** What is known of a file never changes, but for its state. In milliseconds. */
const FACTS_MS = 3_600_000;
/** As many unused files as are offered again. */
const UNUSED_MAX = 200;

/** A file that was uploaded. */
export function useStoredFile(id: number | undefined): QueryObserverResult<StoredFile> {
  return useQuery<StoredFile>({
    queryKey: ["file", id],
    queryFn: ({ signal }) =>
      answered(api.GET("/api/v2/products/api/operations/upload/{id}", { params: { path: { id: id ?? 0 } }, signal })),
    enabled: id !== undefined,
    staleTime: FACTS_MS,
  });
}

/** Files that were uploaded and that no analysis uses, newest first. */
export function useUnusedFiles(): QueryObserverResult<readonly StoredFile[]> {
  return useQuery<readonly StoredFile[]>({
    queryKey: ["unused-files"],
    queryFn: async ({ signal }) => {
      const query = { limit: UNUSED_MAX };
      return (await answered(api.GET("/api/v2/products/api/operations/upload", { params: { query }, signal }))).files;
    },
  });
}

/** Deletes an unused file. */
export async function deleteFile(id: number): Promise<void> {
  await api.DELETE("/api/v2/products/api/operations/upload/{id}", { params: { path: { id } } });
  await outdate(["unused-files"]);
}

/** The picture of a file, or the first one of a film, for `<img>`: undefined until it is there. `undefined` as id: none. */
export function usePicture(
  id: number | undefined,
  width: PreviewWidth | undefined,
): QueryObserverResult<Blob> & {
  readonly url: string | undefined;
} {
  const result = useQuery<Blob>({
    queryKey: ["picture", id, width],
    queryFn: ({ signal }) => {
      const params = { path: { id: id ?? 0 }, ...(width === undefined ? {} : { query: { width } }) };
      return answered<Blob>(
        api.GET("/api/v2/products/api/operations/upload/{id}/content", { params, parseAs: "blob", signal }),
      );
    },
    enabled: id !== undefined,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  const { data } = result;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    setUrl(undefined);
    if (data === undefined) return undefined;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return { ...result, url };
}

/** An address of a file for a player, which reads it in parts and sends no token. It works for some minutes. */
export async function linkOfFile(id: number): Promise<string> {
  const params = { path: { id } };
  const { url } = await answered(api.POST("/api/v2/products/api/operations/upload/{id}/links", { params }));
  // The server may be known to itself by another name than to this browser.
  return new URL(url).pathname;
}
