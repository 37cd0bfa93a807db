import type { MediaNs } from "feedsmith";
import type { Attachment } from "./entry.js";

/** Files and pictures of Media RSS. */
export interface MediaOf {
  readonly files: readonly Attachment[];
  readonly images: readonly (string | undefined)[];
}

/** The Media RSS elements of an item, also those in groups. */
export function mediaOf(media: MediaNs.ItemOrFeed | undefined): MediaOf {
  const groups = media?.groups ?? [];
  const contents = [...(media?.contents ?? []), ...groups.flatMap((group) => group.contents ?? [])];
  const thumbnails = [media, ...groups, ...contents].flatMap((element) => element?.thumbnails ?? []);
  return {
    files: contents.flatMap(({ url, type, medium, fileSize }) =>
      url === undefined ? [] : [{ url, type: type ?? medium, length: fileSize }],
    ),
    images: thumbnails.map(({ url }) => url),
  };
}
