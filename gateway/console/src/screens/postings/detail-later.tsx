import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Skeleton } from "../../parts/states.js";
import { tried } from "../loaded-later.js";
import type { PostingDetailProps } from "./posting-detail.js";

type Detail = ComponentType<PostingDetailProps>;

let loaded: Detail | undefined;

/** The detail of a posting, whose code comes while the list is looked at. */
export function useDetail(): Detail {
  const [detail, setDetail] = useState<Detail | undefined>(() => loaded);
  useEffect(() => {
    if (detail !== undefined) return;
    const load = () => import("./posting-detail.js").then(({ PostingDetail }): Detail => (loaded = PostingDetail));
    void tried(load).then((found) => setDetail(() => found));
  }, []);
  return detail ?? NotYet;
}

function NotYet() {
  return <Skeleton height="20rem" />;
}
