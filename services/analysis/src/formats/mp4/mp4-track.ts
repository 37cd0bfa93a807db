import { damaged } from "../sentences.js";

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
  /** Clockwise rotation of the pictures by players, in degrees. */
  rotation: number;
  /** Of the largest sample description. */
  width: number;
  height: number;
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
    rotation: 0,
    width: 0,
    height: 0,
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
