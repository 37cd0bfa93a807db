/** How a result is made: `builtin` by the product's own models, `models` by a Hugging Face model. */
export type VisualEngine = "builtin" | "models";

/**
 * A span of a video in seconds from its start, to a tenth; `end` is the time at which the last frame that showed it is
 * replaced.
 */
export interface Moment {
  start: number;
  end: number;
}

/** Something detected, and the calibrated probability that it is present (0 to 1, at most 4 decimals). */
export interface Detection {
  value: string;
  prob: number;
  /** When it was seen, in order; videos and animations only. */
  moments?: Moment[];
}

/** The description of a moment of a video. */
export interface CaptionMoment {
  /** HH:MM:SS from the start. */
  timestamp: string;
  description: string;
}

/** A caption; a still has `description`, videos and animations have the others. */
export interface Caption {
  description?: string;
  /** HH:MM:SS. */
  duration?: string;
  descriptions?: CaptionMoment[];
}

/** A part of a picture, in fractions (0 to 1) of its width and height. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A picture under analysis: upright, sRGB, without transparency, longer side at most 1600 pixels. Values that several
 * analyzers need are computed once, on first use, and cached here.
 */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel, rows from top to bottom. */
  readonly rgb: Uint8Array;
  /** Milliseconds from the start of a video; 0 for a still. */
  readonly atMs: number;
  /** Returns the value that `make` computed for this frame under `key`, computing it at most once; promises too. */
  once<V>(key: symbol, make: (frame: Frame) => V): V;
}

/** A face that a company has named; the descriptor has 128 numbers. */
export interface NamedFace {
  name: string;
  descriptor: readonly number[];
}

/** A mark that a company searches for, as a PNG with transparency. */
export interface NamedMark {
  name: string;
  png: Uint8Array;
}

/** What a company has taught its own analyses. */
export interface Gallery {
  faces: readonly NamedFace[];
  marks: readonly NamedMark[];
}

/** Input of an analyzer in addition to the pixels. */
export interface LookContext {
  gallery: Gallery;
}

/** A video or animation being watched. */
export interface Film {
  readonly durationMs: number;
  /** Small frames (longer side 320 pixels) at `perSecond`, for movements that frames at scene changes do not show. */
  burst(fromMs: number, options: { seconds: number; perSecond: number }): Promise<Frame[]>;
}

/** The position of a frame in its video. */
export interface Showing {
  /** Time at which the next frame replaces it, in milliseconds from the start. */
  readonly untilMs: number;
  /** Whether there is a cut between the frame before and this one: nothing carries over. */
  readonly afterCut: boolean;
}

/** Analyses the frames of one video in order, and returns the result at its end. */
export interface Watcher<Result = unknown> {
  see(frame: Frame, film: Film, showing: Showing): Promise<void>;
  finish(): Result;
}

/**
 * An engine for one visual analysis, with its result for one file. The same picture always gives the same result.
 * Detections are ordered by probability, each value once.
 */
export interface VisualAnalyzer<T extends string = string, Result = unknown> {
  readonly type: T;
  readonly engine: VisualEngine;
  readonly model: { id: string; version: string };
  /** Analyses a still. */
  look(frame: Frame, context: LookContext): Promise<Result>;
  /** Begins a video. Without this method, the results of `look` for the frames are merged over time. */
  watch?(context: LookContext): Watcher<Result>;
}

/** One line of print read in a picture. */
export interface PrintedLine {
  text: string;
  /** 0 to 1. */
  prob: number;
  box: Box;
}

/** Words spoken from `start` to `end`, in seconds to a tenth. */
export interface SpokenSegment {
  start: number;
  end: number;
  text: string;
}

/** The speech in a recording; empty if nobody speaks, or if nothing is understood. */
export interface Transcript {
  text: string;
  segments: SpokenSegment[];
  /** Duration in seconds, to a tenth, of speech left out because it was not understood; absent if there was none. */
  unclearSeconds?: number;
  model: { id: string; version: string };
}
