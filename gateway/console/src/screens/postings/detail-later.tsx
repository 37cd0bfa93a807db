import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Skeleton } from "../../parts/states.js";
import type { PostingDetailProps } from "./posting-detail.js";

let loaded: ComponentType<PostingDetailProps> | undefined;
const loading = (): Promise<ComponentType<PostingDetailProps>> =>
  import("./posting-detail.js").then(({ PostingDetail }) => (loaded = PostingDetail));

/** The detail of a posting, whose code comes while the list is looked at. */
export function useDetail(): ComponentType<PostingDetailProps> {
  const [, setLoaded] = useState(loaded !== undefined);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (loaded === undefined) loading().then(() => setLoaded(true), setFailure);
  }, []);
  // As if the screen itself could not be loaded.
  if (failure !== undefined) throw failure as Error;
  return loaded ?? (() => <Skeleton height="20rem" />);
}
