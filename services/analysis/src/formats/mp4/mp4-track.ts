import { damaged } from "../sentences.js";

/** What a track is made of, as far as its boxes say, and what its fragments add. */
export interface Mp4Track {
  id: number;
  /** "vide", "soun", or of something else that is not looked at. */
  handler: string;
  /** Units of time a second, of the media. */
  timescale: number;
  /** In units of the media. */
  mediaDuration: number;
  /** In units of the movie: what the track's header says, and the sum of its edits. */
  trackDuration: number;
  editedDuration: number;
  /** Clockwise degrees by which a player turns the pictures. */
  rotation: number;
  /** Of the largest pictures. */
  width: number;
  height: number;
  /** Descriptions of samples. */
  descriptions: number;
  samples: SampleTables;
  fragments: FragmentTotals;
}

/** Sums over the tables of a track. */
export interface SampleTables {
  count: number;
  bytes: number;
  /** By the table of times, in units of the media. */
  duration: number;
  chunks: number;
  /** Where the last chunk begins; -1 without one. */
  lastOffset: number;
}

/** Sums over the fragments of a track. */
export interface FragmentTotals {
  count: number;
  bytes: number;
  /** Of all samples, in units of the media. */
  duration: number;
  /** When the first begins and the last ends, in units of the media; where fragments say so. */
  from: number;
  to: number;
  /** Behind the last byte of a sample. */
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

/** Seconds; the longest of what the boxes say. `movieTimescale`: units a second of the movie. */
export function trackSeconds(track: Mp4Track, movieTimescale: number): number {
  const { fragments, samples } = track;
  const media = Math.max(
    track.mediaDuration,
    samples.duration + fragments.duration,
    fragments.to - Math.min(fragments.from, fragments.to),
  );
  return Math.max(media / track.timescale, Math.max(track.trackDuration, track.editedDuration) / movieTimescale);
}

/** Whether it has samples at all; in a track that does, they must lie within the file. */
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
