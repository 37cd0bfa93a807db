import { encoderOf } from "@hourglass/analysis/encoder";
import { annotateAccurately, type Annotation, annotateFast, readTaggerCard, tagText } from "@hourglass/analysis/topic";

/** An engine as evaluation sees it. */
export interface Annotator {
  /** What the report calls it. */
  readonly method: string;
  /** Figures that its card states, by the names of the report. */
  readonly stated: Readonly<Record<string, number>>;
  /** What it sees in each text, in order. */
  annotate(texts: readonly string[]): Promise<Annotation[]>;
}

/** The fast engine. */
export function fastAnnotator(): Annotator {
  const { version, dev } = readTaggerCard();
  return {
    method: `wink-nlp parts of speech, ${version} and word lists`,
    stated: dev,
    annotate: async (texts) => texts.map((text) => annotateFast(text, tagText(text))),
  };
}

/** The accurate engine; throws when the encoder is missing. */
export function accurateAnnotator(): Annotator {
  const { version, topicDev } = encoderOf().card;
  return {
    method: `encoder ${version} and word lists`,
    stated: topicDev ?? {},
    annotate: (texts) => annotateAccurately(texts),
  };
}
