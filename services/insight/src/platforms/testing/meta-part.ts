import { MetaUpstream, type MetaUpstreamOptions } from "@hourglass/demo";
import type { Upstream } from "./connector-world.js";

/** One platform's part of the fake of Meta. */
interface MetaPart extends Upstream, Pick<MetaUpstream, "origin"> {
  edit(id: string, text: string): void;
  remove(id: string): void;
}

/** Starts the fake of Meta and gives one platform's part of it, as the suite of connectors asks for it. */
export async function startMetaPart(name: "facebook" | "instagram", options: MetaUpstreamOptions): Promise<MetaPart> {
  const meta = await MetaUpstream.start(options);
  const part = meta[name];
  return {
    origin: meta.origin,
    seen: meta.seen,
    timeline: part.timeline,
    post: (values) => part.post(values),
    edit: (id, text) => part.edit(id, text),
    remove: (id) => part.remove(id),
    failNext: (...faults) => meta.failNext(...faults),
    failAlways: (fault) => meta.failAlways(fault),
    close: () => meta.close(),
  };
}
