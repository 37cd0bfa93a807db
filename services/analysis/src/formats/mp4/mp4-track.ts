import { turned } from "../exif.js";
import { damaged } from "../sentences.js";

/** Sizes in headers are rounded. */
const ASPECT_TOLERANCE = 0.01;
/** Beyond this ratio it is no shape of a pixel. */
const ASPECT_MAX = 16;

/** Directions of the horizontal and the vertical axis, each to the right and down. */
export type Mp4Matrix = readonly [number, number, number, number];

/** Facts about a track from its boxes, and from its fragments. */
export interface Mp4Track {
  id: number;
  /** "vide", "soun", or another type, which is ignored. */
  handler: string;
  /** Time units per second of the media. */
  timescale: number;
  /** In units of the media. */
  mediaDuration: number;
  /** In units of the movie: from the track's header, and the sum of its edits. */
  trackDuration: number;
  editedDuration: number;
  /** Direction of the pictures' horizontal axis: right and down. */
  axis: readonly [number, number];
  /** Of the largest sample description, in pixels as stored. */
  width: number;
  height: number;
  /** Width of a pixel by its height, by the first sample description; undefined if that does not say. */
  pixelAspect: number | undefined;
  /** Width by height of the pictures as shown, before they are turned; undefined if the track's header does not say. */
  aspect: number | undefined;
  /** Number of sample descriptions. */
  descriptions: number;
  samples: SampleTables;
  fragments: FragmentTotals;
}

/** Totals of the tables of a track. */
export interface SampleTables {
  count: number;
  bytes: number;
  /** From the table of times, in units of the media. */
  duration: number;
  chunks: number;
  /** Offset of the last chunk; -1 if there is none. */
  lastOffset: number;
}

/** Totals of the fragments of a track. */
export interface FragmentTotals {
  count: number;
  bytes: number;
  /** Of all samples, in units of the media. */
  duration: number;
  /** Start of the first and end of the last, in units of the media, if fragments specify it. */
  from: number;
  to: number;
  /** Offset after the last byte of a sample. */
  lastEnd: number;
}

export function createTrack(): Mp4Track {
  return {
    id: 0,
    handler: "",
    timescale: 0,
    mediaDuration: 0,
    trackDuration: 0,
    editedDuration: 0,
    axis: [1, 0],
    width: 0,
    height: 0,
    pixelAspect: undefined,
    aspect: undefined,
    descriptions: 0,
    samples: { count: 0, bytes: 0, duration: 0, chunks: 0, lastOffset: -1 },
    fragments: {
      count: 0,
      bytes: 0,
      duration: 0,
      from: Infinity,
      to: 0,
      lastEnd: 0,
    },
  };
}

/** Duration in seconds: the longest that the boxes declare. `movieTimescale`: time units per second of the movie. */
export function trackSeconds(track: Mp4Track, movieTimescale: number): number {
  const { fragments, samples } = track;
  const media = Math.max(
    track.mediaDuration,
    samples.duration + fragments.duration,
    fragments.to - Math.min(fragments.from, fragments.to),
  );
  return Math.max(media / track.timescale, Math.max(track.trackDuration, track.editedDuration) / movieTimescale);
}

/**
 * The size at which players show the pictures, turned by the movie's matrix (right and down of its two axes), and with
 * square pixels: one side is enlarged, so that no pixel is lost.
 */
export function shownSize(
  { width, height, axis: [right, down], pixelAspect, aspect }: Mp4Track,
  [xRight, xDown, yRight, yDown]: Mp4Matrix,
): { width: number; height: number } {
  const declared = pixelAspect ?? (aspect === undefined ? 1 : (aspect * height) / width);
  const isPlausible = Math.abs(declared - 1) > ASPECT_TOLERANCE && declared < ASPECT_MAX && declared > 1 / ASPECT_MAX;
  const stretch = isPlausible ? declared : 1;
  const size = {
    width: Math.round(width * Math.max(1, stretch)),
    height: Math.round(height / Math.min(1, stretch)),
  };
  const isSideways = Math.abs(right * xDown + down * yDown) > Math.abs(right * xRight + down * yRight);
  return turned(size, isSideways);
}

/** Whether the track has samples; if so, they must be within the file. */
export function checkSamples({ samples, fragments }: Mp4Track, fileBytes: number): boolean {
  const outside = samples.lastOffset >= fileBytes || fragments.lastEnd > fileBytes;
  if (outside) throw damaged("mp4", "its tables point to samples behind the end of the file: a part of it is missing");
  const bytes = samples.bytes + fragments.bytes;
  if (bytes > fileBytes) {
    throw damaged("mp4", `its tables describe ${bytes} bytes of samples, but the whole file has ${fileBytes}`);
  }
  if (samples.count > 0 && samples.chunks === 0) throw damaged("mp4", "its tables do not say where its samples are");
  return samples.count + fragments.count > 0 && bytes > 0;
}
