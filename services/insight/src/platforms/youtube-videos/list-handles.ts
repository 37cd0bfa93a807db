import * as z from "zod";
import { maybe, readEach } from "../schemas.js";
import { type Asking, askYoutube, type YoutubeDeps } from "../youtube/asking/ask-youtube.js";

const CHANNELS_MAX = 50;
const channelSchema = z.object({ id: z.string(), snippet: z.object({ customUrl: maybe(z.string()) }) });

/** The handles of at most 50 channels by id, without `@`. Throws as `askYoutube`. */
export async function listHandles(
  deps: YoutubeDeps,
  ids: readonly string[],
  asking: Asking,
): Promise<ReadonlyMap<string, string>> {
  const parameters = { part: "snippet", id: ids.join(","), maxResults: String(CHANNELS_MAX) };
  const response = await askYoutube(deps, { method: "channels", parameters }, asking);
  const { items } = readEach(response?.items, (item) => channelSchema.safeParse(item).data);
  return new Map(
    items.flatMap(({ id, snippet: { customUrl } }) => (customUrl ? [[id, customUrl.replace(/^@/, "")] as const] : [])),
  );
}
