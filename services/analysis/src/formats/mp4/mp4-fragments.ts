import { uint32, uint64, type Position, type Reading } from "../byte-reading.js";
import { readChildren, readFields, readTable, type Box } from "./mp4-boxes.js";
import type { Mp4Movie } from "./mp4-movie.js";
import type { FragmentTotals } from "./mp4-track.js";
import { damaged } from "../sentences.js";

/** Flags of a track fragment: the fields that it has. ISO/IEC 14496-12, 8.8.7. */
const FRAGMENT = { base: 0x1, description: 0x2, duration: 0x8, bytes: 0x10 };
/** Flags of a track run: the fields that it has, and those of each sample. 8.8.8. */
const RUN = { offset: 0x1, firstFlags: 0x4, duration: 0x100, bytes: 0x200, flags: 0x400, shift: 0x800 };

/** A track fragment while it is read. */
interface TrackFragment {
  totals: FragmentTotals;
  /** Of its samples, unless they have their own. */
  duration: number;
  bytes: number;
  /** Base of its offsets in the file. */
  base: number;
  /** Start of the next run unless the run specifies it. */
  next: number;
  /** Its start, in units of the media. */
  from: number | undefined;
  /** Duration of its samples so far. */
  lasted: number;
}

/** Reads a movie fragment and adds its samples to the tracks. */
export function* readMovieFragment(moof: Box, at: Position, movie: Mp4Movie): Reading<void> {
  yield* readChildren(moof, at, {
    once: {},
    several: {
      *traf(traf) {
        let fragment: TrackFragment | undefined;
        yield* readChildren(traf, at, {
          once: {
            *tfhd(box) {
              fragment = yield* readHeader(box, at, moof.start, movie);
            },
            *tfdt(box) {
              const fields = yield* readFields(box, at, 8, 12);
              const long = fields[0] === 1 && fields.length === 12;
              const from = long ? uint64(fields, 4) : uint32(fields, 4);
              if (fragment !== undefined) fragment.from = from;
            },
          },
          several: {
            *trun(box) {
              if (fragment === undefined) throw damaged("mp4", "a fragment has samples before its header");
              yield* readRun(box, at, fragment);
            },
          },
        });
        if (fragment !== undefined) addUp(fragment);
      },
    },
  });
}

/** Bits 8 to 31 of the first four bytes. */
const flagsOf = (fields: Uint8Array): number => uint32(fields, 0) & 0xffffff;

function* readHeader(tfhd: Box, at: Position, moofStart: number, movie: Mp4Movie): Reading<TrackFragment> {
  const head = yield* readFields(tfhd, at, 8);
  const flags = flagsOf(head);
  const id = uint32(head, 4);
  const track = movie.tracks.find((one) => one.id === id);
  if (track === undefined) throw damaged("mp4", `a fragment belongs to the track ${id}, which does not exist`);
  const defaults = movie.defaults.find((one) => one.id === id);
  const fragment: TrackFragment = {
    totals: track.fragments,
    duration: defaults?.duration ?? 0,
    bytes: defaults?.bytes ?? 0,
    base: moofStart,
    next: moofStart,
    from: undefined,
    lasted: 0,
  };
  if ((flags & FRAGMENT.base) !== 0) fragment.base = uint64(yield* readFields(tfhd, at, 8), 0);
  if ((flags & FRAGMENT.description) !== 0) yield* readFields(tfhd, at, 4);
  if ((flags & FRAGMENT.duration) !== 0) fragment.duration = uint32(yield* readFields(tfhd, at, 4), 0);
  if ((flags & FRAGMENT.bytes) !== 0) fragment.bytes = uint32(yield* readFields(tfhd, at, 4), 0);
  fragment.next = fragment.base;
  return fragment;
}

function* readRun(trun: Box, at: Position, fragment: TrackFragment): Reading<void> {
  const head = yield* readFields(trun, at, 8);
  const flags = flagsOf(head);
  const entries = uint32(head, 4);
  if ((flags & RUN.offset) !== 0) fragment.next = fragment.base + (uint32(yield* readFields(trun, at, 4), 0) | 0);
  if ((flags & RUN.firstFlags) !== 0) yield* readFields(trun, at, 4);
  const bytesAt = (flags & RUN.duration) === 0 ? 0 : 4;
  const fields = [RUN.duration, RUN.bytes, RUN.flags, RUN.shift].filter((field) => (flags & field) !== 0).length;
  let bytes = (flags & RUN.bytes) === 0 ? entries * fragment.bytes : 0;
  if ((flags & RUN.duration) === 0) fragment.lasted += entries * fragment.duration;
  if (fields > 0) {
    yield* readTable(trun, at, { entries, entryBytes: 4 * fields }, (piece, from) => {
      if ((flags & RUN.duration) !== 0) fragment.lasted += uint32(piece, from);
      if ((flags & RUN.bytes) !== 0) bytes += uint32(piece, from + bytesAt);
    });
  }
  const { totals } = fragment;
  totals.count += entries;
  totals.bytes += bytes;
  fragment.next += bytes;
  if (entries > 0) totals.lastEnd = Math.max(totals.lastEnd, fragment.next);
}

function addUp({ totals, from, lasted }: TrackFragment): void {
  totals.duration += lasted;
  const start = from ?? totals.to;
  totals.from = Math.min(totals.from, start);
  totals.to = Math.max(totals.to, start + lasted);
}
