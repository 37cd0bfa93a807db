/** Wire value of a visual analysis; also the name of its folder under `analyzers/`. */
export type VisualAnalysis = keyof VisualResultOf;

/** How a result is made: `builtin` by what comes with the product, `models` by a Hugging Face model. */
export type VisualEngine = "builtin" | "models";

/** A span of a video in seconds from its start, to a tenth; `end` is when the last frame that showed it gave way. */
export interface Moment {
  start: number;
  end: number;
}

/** Something seen, and the calibrated probability that it is there (0 to 1, 4 decimals at most). */
export interface Detection {
  value: string;
  prob: number;
  /** When it was seen, in order; videos and animations only. */
  moments?: Moment[];
}

/** What happens at a moment of a video. */
export interface CaptionMoment {
  /** HH:MM:SS from the start. */
  timestamp: string;
  description: string;
}

/** What pictures show, in words; a still has `description`, what moves has the others. */
export interface Caption {
  description?: string;
  /** HH:MM:SS. */
  duration?: string;
  descriptions?: CaptionMoment[];
}

/** What each visual analysis yields for one file. Detections are ordered by probability, each value once. */
export interface VisualResultOf {
  "face-id": Detection[];
  "object-id": Detection[];
  "activity-id": Detection[];
  "logo-id": Detection[];
  caption: Caption[];
}

/** Part of a picture; all numbers from 0 to 1, of its width and height. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * A picture under analysis: upright, sRGB, transparency laid on white, its longer side 1600 pixels at most. What several
 * analyzers need is computed once, on first use, and kept here.
 */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel, rows from top to bottom. */
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

/** A mark that a company looks for, as a PNG with transparency. */
export interface NamedMark {
  name: string;
  png: Uint8Array;
}

/** What a company has taught its own analyses. */
export interface Gallery {
  faces: readonly NamedFace[];
  marks: readonly NamedMark[];
}

/** What an analyzer may know beside the pixels. */
export interface LookContext {
  gallery: Gallery;
}

/** A video or animation while it is watched. */
export interface Film {
  readonly durationMs: number;
  /** Small frames (longer side 320 pixels) at `perSecond`, for movements that frames at scene changes cannot show. */
  burst(fromMs: number, options: { seconds: number; perSecond: number }): Promise<Frame[]>;
}

/** The place of a frame in its video. */
export interface Showing {
  /** When the picture gives way to the next frame, in milliseconds from the start. */
  readonly untilMs: number;
  /** Whether the video was cut between the frame before and this one: nothing carries over from there. */
  readonly afterCut: boolean;
}

/** Looks at the frames of one video in order, and says at its end what it showed. */
export interface Watcher<T extends VisualAnalysis = VisualAnalysis> {
  see(frame: Frame, film: Film, showing: Showing): Promise<void>;
  finish(): VisualResultOf[T];
}

/** An engine for one visual analysis. The same picture always gives the same result. */
export interface VisualAnalyzer<T extends VisualAnalysis = VisualAnalysis> {
  readonly type: T;
  readonly engine: VisualEngine;
  readonly model: { id: string; version: string };
  /** What a still shows. */
  look(frame: Frame, context: LookContext): Promise<VisualResultOf[T]>;
  /** Begins with a video. Without it, what `look` finds in the frames is merged over time. */
  watch?(context: LookContext): Watcher<T>;
}

/** Words read in a picture: one line of print. */
export interface PrintedLine {
  text: string;
  /** 0 to 1. */
  prob: number;
  box: Box;
}

/** What is said from `start` to `end`, in seconds to a tenth. */
export interface SpokenSegment {
  start: number;
  end: number;
  text: string;
}

/** What is said in a recording; empty when nobody speaks, or when nothing of it is understood. */
export interface Transcript {
  text: string;
  segments: SpokenSegment[];
  /** Seconds, to a tenth, of what was left out because it was not understood; absent when nothing was. */
  unclearSeconds?: number;
  model: { id: string; version: string };
}
