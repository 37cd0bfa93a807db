import { keepLoaded } from "../../models/shipped-models.js";
import type { RawToken } from "../../text/tokenizer.js";
import type { DetectedLanguage, TextDocument } from "../../types.js";
import {
  ENCODER_FOLDER,
  ENCODER_TASKS,
  type EncoderCard,
  MULTILINGUAL_FOLDER,
  readEncoderCard,
  verifyEncoder,
} from "./card.js";
import {
  type Logits,
  openSession,
  type RunWindows,
  TOKEN_HEADS,
  type TokenHead,
  type WindowOutput,
} from "./session.js";
import { createVocabulary, type Pieces, type Vocabulary } from "./vocabulary.js";
import { cutWindows, inputOf, type TokenRange, type WindowInput } from "./windows.js";

/** The encoder's output for a text. */
export interface EncodedText {
  /** The encoder that read the text. */
  readonly encoder: Encoder;
  /** The tokens of `tokenize(text)`; in scripts without spaces, its words. */
  readonly tokens: readonly RawToken[];
  /** Scores of the labels of each classification, in the order of the card, before the temperature. */
  readonly logits: Logits;
  /** Scores of the tags, one row per token. */
  readonly entity: readonly Float32Array[];
  readonly pos: readonly Float32Array[];
  readonly left: readonly Float32Array[];
  readonly right: readonly Float32Array[];
  /** Empty rows if the encoder does not say how many characters of a word are no part of its noun. */
  readonly before: readonly Float32Array[];
  readonly after: readonly Float32Array[];
  /** The pieces that the encoder read. */
  readonly pieces: Pieces;
  readonly windows: readonly EncodedWindow[];
}

/** The encoder's output for one window of a text. */
interface EncodedWindow extends TokenRange {
  /** Its number of pieces, which is its weight in the text's result. */
  readonly weight: number;
  readonly logits: Logits;
}

/** The encoder on one thread. */
export interface Encoder {
  readonly card: EncoderCard;
  encode(texts: readonly string[]): Promise<EncodedText[]>;
  /** The output for a text without some of its tokens, once for each list of what is left out. */
  encodeWithout(encoded: EncodedText, leftOut: readonly (readonly TokenRange[])[]): Promise<Logits[]>;
}

interface EncoderOptions {
  /** Reads only the card at first; the other files are verified and loaded for the first text. */
  readonly deferred?: boolean;
}

/**
 * Reads the encoder's folder and verifies every file, unless that is deferred; throws with the reason if one is missing,
 * damaged or in another format. The network itself is loaded on first use.
 */
export const createEncoder = (folder: URL, { deferred = false }: EncoderOptions = {}): Encoder => {
  const card = readEncoderCard(folder);
  const read = (): Vocabulary => createVocabulary(verifyEncoder(folder, card));
  const early = deferred ? undefined : read();
  // The next text retries after a failure.
  const open = keepLoaded(async (_: "network"): Promise<Opened> => ({
    ...(early ?? read()),
    run: await openSession(folder, card),
  }));
  const encoder: Encoder = {
    card,
    encode: async (texts) => encodeAll(texts, encoder, await open("network")),
    encodeWithout: async (encoded, leftOut) => encodeVariants(encoded, leftOut, await open("network")),
  };
  return encoder;
};

interface Opened extends Vocabulary {
  readonly run: RunWindows;
}

/** The encoder's output for a text without one window. */
export const withoutWindow = ({ windows }: EncodedText, window: number): Logits =>
  averageLogits(windows.filter((_, at) => at !== window));

const encodeAll = async (
  texts: readonly string[],
  encoder: Encoder,
  { frame, cut, run }: Opened,
): Promise<EncodedText[]> => {
  const cuts = texts.map(cut);
  const windows = cuts.map(cutWindows);
  const inputs = cuts.flatMap((pieces, i) => windows[i]!.map((window) => inputOf(pieces, frame, window)));
  const outputs = await run(inputs);
  let at = 0;
  return cuts.map((pieces, i) => {
    const own = outputs.slice(at, (at += windows[i]!.length));
    return { encoder, ...gather(pieces, windows[i]!, own) };
  });
};

/** Windows that nothing is left out of are not read again, and equal ones are read once. */
const encodeVariants = async (
  { pieces, windows }: EncodedText,
  leftOut: readonly (readonly TokenRange[])[],
  { frame, run }: Opened,
): Promise<Logits[]> => {
  const inputs = new Map<string, WindowInput>();
  const keys = leftOut.map((ranges) =>
    windows.map((window) => {
      const own = ranges.filter(({ from, to }) => from < window.to && to > window.from);
      if (own.length === 0) return undefined;
      const key = own.map(({ from, to }) => `${from}-${to}`).join();
      const isKept = (token: number): boolean => !own.some(({ from, to }) => token >= from && token < to);
      if (!inputs.has(key)) inputs.set(key, inputOf(pieces, frame, window, isKept));
      return key;
    }),
  );
  const outputs = await run([...inputs.values()]);
  const found = new Map([...inputs.keys()].map((key, at) => [key, outputs[at]!.logits]));
  return keys.map((own) =>
    averageLogits(windows.map((window, at) => ({ ...window, logits: found.get(own[at] ?? "") ?? window.logits }))),
  );
};

const gather = (
  pieces: Pieces,
  ranges: readonly TokenRange[],
  outputs: readonly WindowOutput[],
): Omit<EncodedText, "encoder"> => {
  const rows: Record<TokenHead, Float32Array[]> = {
    entity: [],
    pos: [],
    left: [],
    right: [],
    before: [],
    after: [],
  };
  const windows = ranges.map((range, i) => {
    const { logits, rowOf } = outputs[i]!;
    // The first piece is the start token; a token is classified by its first piece.
    let piece = 1;
    for (let token = range.from; token < range.to; token++) {
      for (const head of TOKEN_HEADS) rows[head].push(rowOf(head, piece));
      piece += pieces.ids[token]?.length ?? 0;
    }
    return { ...range, weight: Math.max(1, piece - 1), logits };
  });
  return { tokens: pieces.tokens, ...rows, logits: averageLogits(windows), pieces, windows };
};

/**
 * The mean of the windows' scores weighted by length; after softmax that is their geometric mean. Not the sum: windows
 * of one text are not independent evidence, and ten of them at 70% each must not make 99%.
 */
const averageLogits = (windows: readonly EncodedWindow[]): Logits => {
  const [only] = windows;
  if (windows.length === 1 && only !== undefined) return only.logits;
  const total = windows.reduce((sum, { weight }) => sum + weight, 0);
  const means = ENCODER_TASKS.map((task) => {
    const mean = new Float64Array(only?.logits[task].length ?? 0);
    for (const { weight, logits } of windows) {
      logits[task].forEach((score, label) => (mean[label] = (mean[label] ?? 0) + (score * weight) / total));
    }
    return [task, Float32Array.from(mean)] as const;
  });
  return Object.fromEntries(means) as Record<keyof Logits, Float32Array>;
};

/** Where the encoders of a thread lie. */
export interface EncoderFolders {
  readonly english: URL;
  readonly multilingual: URL;
}

/** The encoders of a thread. The language of a text decides which one reads it. */
export interface Encoders {
  readonly english: Encoder;
  /** Its network and vocabulary are loaded for the first text in another language. */
  readonly multilingual: Encoder;
}

const SHIPPED_ENCODERS: EncoderFolders = { english: ENCODER_FOLDER, multilingual: MULTILINGUAL_FOLDER };

const ENCODING = Symbol("encoding");

/** By folder: tests use their own models. */
const encoders = new Map<string, Encoder>();

/**
 * The encoders of this thread, read on first use; throws with the reason if a card, or another file of the English one,
 * is missing or damaged.
 */
export const encodersOf = ({ english, multilingual }: EncoderFolders = SHIPPED_ENCODERS): Encoders => ({
  english: encoderOf(english),
  multilingual: encoderOf(multilingual, { deferred: true }),
});

/** The encoder of a folder, created once per thread. */
export const encoderOf = (folder: URL = ENCODER_FOLDER, options: EncoderOptions = {}): Encoder => {
  let encoder = encoders.get(folder.href);
  if (encoder === undefined) {
    encoder = createEncoder(folder, options);
    encoders.set(folder.href, encoder);
  }
  return encoder;
};

/** English, and texts too short to tell, are read by the English encoder. */
const readerOf = ({ code, likeliest = "en" }: DetectedLanguage, { english, multilingual }: Encoders): Encoder =>
  code === "en" || (code === "und" && likeliest === "en") ? english : multilingual;

/**
 * Encodes the documents that are not encoded yet, those of each encoder as one batch, and caches the results in them for
 * every analysis.
 */
export const prepareEncodings = async (documents: readonly TextDocument[], encoders: Encoders): Promise<void> => {
  const missing = documents.filter((document) => keptEncoding(document) === undefined);
  for (const encoder of new Set([encoders.english, encoders.multilingual])) {
    const own = missing.filter(({ language }) => readerOf(language, encoders) === encoder);
    if (own.length === 0) continue;
    const encoded = await encoder.encode(own.map(({ text }) => text));
    own.forEach((document, i) => document.set(ENCODING, encoded[i]));
  }
};

/** The encoder's output for a document; throws if `prepareEncodings` was not called for it. */
export const encodingOf = (document: TextDocument): EncodedText => {
  const encoded = keptEncoding(document);
  if (encoded === undefined) throw new Error("the text was not encoded: call prepareEncodings first");
  return encoded;
};

const keptEncoding = (document: TextDocument): EncodedText | undefined =>
  document.once<EncodedText | undefined>(ENCODING, () => undefined);
