import {
  type Encoder,
  type EncoderFolders,
  encoderOf,
  encodersOf,
  encodingOf,
  prepareEncodings,
} from "../../engines/encoder/encoder.js";
import type { RawToken } from "../../text/tokenizer.js";
import { tokensWithTags } from "../../text/tokens.js";
import type { Analyzer, ModelRef, Topic } from "../../types.js";
import type { Annotation } from "./annotation.js";
import { decodeChunks, decodeEntities } from "./encoder-decoding.js";
import { decodePos, ENCODER_POS, ENCODER_TAG_NAMES, type TokenScores } from "./encoder-tags.js";
import { correctBorders } from "./entity-borders.js";
import { withoutParticles } from "./particles.js";
import { MULTILINGUAL, trustedIn } from "./topic-languages.js";
import { topicsOf } from "./topics.js";

/** Increment with every change of rules or word lists, which the encoder's version does not cover. */
const RULES_VERSION = 6;

/** The accurate `topic` analyzer: names and noun chunks by the encoder; throws when its model is missing or damaged. */
export const createAccurateTopic = (folders?: EncoderFolders): Analyzer<"topic", Topic[]> => {
  const encoders = encodersOf(folders);
  [encoders.english, encoders.multilingual].forEach(checkTags);
  const modelOf = ({ card }: Encoder): ModelRef => ({
    id: "topic-encoder",
    version: `${RULES_VERSION}-${card.version}`,
  });
  return {
    type: "topic",
    engine: "accurate",
    model: modelOf(encoders.english),
    languages: new Set(["en", ...(encoders.multilingual.card.topicLanguages ?? [])]),
    prepare: (documents) => prepareEncodings(documents, encoders),
    analyze: (document, { explain }) => {
      const annotated = annotateEncoded(document.text, encodingOf(document));
      const { annotation, chunks } = trustedIn(document.language, annotated, MULTILINGUAL);
      return topicsOf(annotation, { explain, chunks });
    },
    modelOf: (document) => modelOf(encodingOf(document).encoder),
  };
};

/** Texts per encoder batch. */
const BATCH = 32;

/** The accurate engine's annotation of each text, in their order; texts of similar length are encoded together. */
export async function annotateAccurately(
  texts: readonly string[],
  encoder: Encoder = encoderOf(),
): Promise<Annotation[]> {
  const order = texts.map((_, at) => at).sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
  const found: Annotation[] = [];
  for (let from = 0; from < order.length; from += BATCH) {
    const batch = order.slice(from, from + BATCH);
    const encoded = await encoder.encode(batch.map((at) => texts[at] ?? ""));
    encoded.forEach((scores, index) => {
      const at = batch[index] ?? 0;
      found[at] = annotateEncoded(texts[at] ?? "", scores);
    });
  }
  return found;
}

/** Decoding relies on the order of the tags. */
function checkTags({ card: { tags } }: Encoder): void {
  if (tags.entity.join() === ENCODER_TAG_NAMES.join() && tags.pos.join() === ENCODER_POS.join()) return;
  throw new Error("the encoder names other tags of tokens than this code reads: take its files from the same release");
}

/** Tokens of a text with the encoder's scores for each. */
interface EncodedTokens extends TokenScores {
  readonly tokens: readonly RawToken[];
}

/** The encoder's annotation of a text. */
export function annotateEncoded(text: string, encoded: EncodedTokens): Annotation {
  const tagged = tokensWithTags(encoded.tokens, decodePos(encoded.tokens, encoded.pos));
  const chunks = decodeChunks(tagged, encoded);
  const names = decodeEntities(tagged, encoded.entity);
  const tokens = withoutParticles(tagged, { chunks, names }, encoded);
  return { text, tokens, entities: correctBorders(tokens, names), chunks };
}
