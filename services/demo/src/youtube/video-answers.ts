import type { Channel } from "./channel.js";
import type { DemoVideo } from "./video.js";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Searches cut descriptions. */
const SNIPPET_CHARACTERS = 120;

/** A list as every method answers it. */
export function listAnswer(kind: string, items: readonly unknown[], nextToken?: string): Record<string, unknown> {
  return {
    kind: `youtube#${kind}`,
    etag: `demo-${kind}-${items.length}`,
    ...(nextToken !== undefined && { nextPageToken: nextToken }),
    pageInfo: { totalResults: items.length, resultsPerPage: items.length },
    items,
    demo: true,
  };
}

/** A result of a search: titles are escaped, descriptions cut, counts missing. */
export function searchResult(video: DemoVideo): Record<string, unknown> {
  return {
    kind: "youtube#searchResult",
    etag: `demo-${video.id}`,
    id: { kind: "youtube#video", videoId: video.id },
    snippet: {
      publishedAt: secondsOf(video.at),
      channelId: video.channel.id,
      title: video.title.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign),
      description: video.description.slice(0, SNIPPET_CHARACTERS),
      thumbnails: thumbnailsOf(video),
      channelTitle: video.channel.title,
      liveBroadcastContent: video.broadcast,
      publishTime: secondsOf(video.at),
    },
  };
}

/** A video as videos.list states it. */
export function videoAnswer(video: DemoVideo, commentCount: number): Record<string, unknown> {
  const { id, at, title, description, channel, tags, broadcast, views, likes, hasComments, extra } = video;
  return {
    kind: "youtube#video",
    etag: `demo-${id}`,
    id,
    snippet: {
      publishedAt: secondsOf(at),
      channelId: channel.id,
      title,
      description,
      thumbnails: thumbnailsOf(video),
      channelTitle: channel.title,
      tags,
      categoryId: "28",
      liveBroadcastContent: broadcast,
      defaultLanguage: "en",
      defaultAudioLanguage: "en-GB",
    },
    contentDetails: { duration: "PT8M3S", dimension: "2d", definition: "hd", caption: "false" },
    status: { uploadStatus: "processed", privacyStatus: "public", license: "youtube", embeddable: true },
    statistics: {
      viewCount: String(views),
      ...(likes !== undefined && { likeCount: String(likes) }),
      favoriteCount: "0",
      ...(hasComments && { commentCount: String(commentCount) }),
    },
    ...(video.place && { recordingDetails: recordingOf(video) }),
    demo: true,
    ...extra,
  };
}

/** A channel as channels.list states it. */
export function channelAnswer({ id, title, handle }: Channel): Record<string, unknown> {
  return { kind: "youtube#channel", etag: `demo-${id}`, id, snippet: { title, description: "", customUrl: handle } };
}

/** YouTube states no milliseconds. */
export function secondsOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, "2026-11-22T09:15:00".length)}Z`;
}

function recordingOf({ place, at }: DemoVideo): Record<string, unknown> {
  return {
    locationDescription: place?.name,
    location: { latitude: place?.latitude, longitude: place?.longitude, altitude: 0 },
    recordingDate: secondsOf(at),
  };
}

function thumbnailsOf({ id }: DemoVideo): Record<string, unknown> {
  const of = (name: string, width: number, height: number) => ({
    url: `https://thumbnails.example.org/${id}/${name}.jpg`,
    width,
    height,
  });
  return { default: of("default", 120, 90), medium: of("mqdefault", 320, 180), high: of("hqdefault", 480, 360) };
}
