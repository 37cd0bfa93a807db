import { encoderOf } from "@hourglass/analysis/encoder";
import { annotateAccurately, type Annotation, annotateFast, readTaggerCard, tagText } from "@hourglass/analysis/topic";

/** The evaluation's interface to an engine. */
export interface Annotator {
  /** Its name in the report. */
  readonly method: string;
  /** The figures of its card, by their names in the report. */
  readonly stated: Readonly<Record<string, number>>;
  /** The annotation of each text, in order. */
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

/** The accurate engine; throws if the encoder is missing. */
export function accurateAnnotator(): Annotator {
  const { version, topicDev } = encoderOf().card;
  return {
    method: `encoder ${version} and word lists`,
    stated: topicDev ?? {},
    annotate: (texts) => annotateAccurately(texts),
  };
}
