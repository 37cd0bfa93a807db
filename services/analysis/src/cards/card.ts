/** A figure that was measured. */
export interface Score {
  /** What it is: a share from 0 to 1, of the kind that its name says. Lower is better of errors, failures and false positives. */
  readonly metric:
    | "accuracy"
    | "macro_f1"
    | "f1"
    | "precision"
    | "recall"
    | "calibration_error"
    | "failures"
    | "false_positives"
    | "word_error_rate"
    | "character_error_rate";
  readonly value: number;
  /** The 95 % interval, where one was computed. */
  readonly interval?: readonly [low: number, high: number];
  /** How many texts, pictures or words it was measured on, where that is known. */
  readonly rows?: number;
  /** What it was measured on, in the words of docs/models-notes.md or the NOTES.md of `text`, `vision` and `media`. */
  readonly on: string;
}

/** What is known of an analysis by one engine. */
export interface EngineCard {
  readonly engine: "accurate" | "fast" | "builtin";
  /** ISO 639-1 codes of the languages that it supports; null where language plays no part, or it is found out. */
  readonly languages: readonly string[] | null;
  /** Empty where nothing was, or could be, measured. */
  readonly scores: readonly Score[];
}

/** The card of an analysis, as data. docs/models-notes.md and the NOTES.md of `text`, `vision` and `media` say the same at more length, and a test compares them. */
export interface ModelCard {
  /** Wire value of the analysis; `language`, `speech` and `reading` are parts of others. */
  readonly analysis: string;
  readonly use: string;
  /** What the models were trained and measured on, and by which method they were made. */
  readonly data: string;
  readonly knownLimits: string;
  /** Of engines that ship with the product: a model of one's own choice has its own card. */
  readonly engines: readonly EngineCard[];
}
