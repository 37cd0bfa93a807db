/** A place in a picture: left, top, width and height as fractions of the picture as it is shown, and its probability. */
export type Box = readonly number[];

/** When something was seen in a video, in seconds; `at`: the picture in which the boxes are. */
export interface Moment {
  readonly start: number;
  readonly end: number;
  readonly at?: number;
  readonly count?: number;
  readonly boxes?: readonly Box[];
}

/** What was seen, and when. */
export interface Track {
  readonly key: string;
  readonly label: string;
  readonly probability: number;
  readonly moments: readonly Moment[];
}

/** Boxes are shown so long before and after their picture: what moves would leave them. In seconds. */
const BOXES_SECONDS = 0.4;
/** A moment so shortly before counts as the one that is being played. In seconds. */
const SAME_SECONDS = 0.5;

/** Where a moment is best looked at: at the picture in which most was seen. */
export function placeOf({ start, at }: Moment): number {
  return at ?? start;
}

/** The place of the moment before or after a time; undefined if there is none. */
export function neighbor(tracks: readonly Track[], time: number, direction: -1 | 1): number | undefined {
  const places = tracks.flatMap(({ moments }) => moments.map(placeOf));
  if (direction === 1) {
    const later = places.filter((place) => place > time + 0.05);
    return later.length === 0 ? undefined : Math.min(...later);
  }
  const earlier = places.filter((place) => place < time - SAME_SECONDS);
  return earlier.length === 0 ? undefined : Math.max(...earlier);
}

export interface ShownBox {
  readonly label: string;
  readonly box: Box;
}

/** The boxes of the pictures at a time of a video. */
export function boxesAt(tracks: readonly Track[], time: number): ShownBox[] {
  return tracks.flatMap(({ label, moments }) =>
    moments
      .filter(({ at, boxes }) => at !== undefined && boxes !== undefined && Math.abs(at - time) <= BOXES_SECONDS)
      .flatMap(({ boxes = [] }) => boxes.map((box) => ({ label, box }))),
  );
}

/** Seconds in which something was seen. */
export function secondsSeen(moments: readonly Moment[]): number {
  return moments.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0);
}

interface Spoken {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What is said as subtitles (WebVTT). */
export function subtitles(segments: readonly Spoken[]): string {
  const cues = segments.map(
    // An arrow or a mark in what was said would be taken for one of the format.
    ({ start, end, text }) =>
      `${stamp(start)} --> ${stamp(end)}\n${text
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(/\s*\n\s*/g, " ")
        .replaceAll("-->", "→")}\n`,
  );
  return ["WEBVTT\n", ...cues].join("\n");
}

function stamp(seconds: number): string {
  return new Date(Math.max(0, seconds) * 1000).toISOString().slice(11, 23);
}

/** Seconds of a time as captions state it, HH:MM:SS. */
export function secondsOf(timestamp: string): number {
  return timestamp.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
}
