/** The exports for training and evaluating the entity tagger and the noun chunks. */
export { tokenize } from "../text/tokenizer.js";
export { tagText, type Token } from "../text/tokens.js";
export { annotateAccurately, annotateEncoded } from "../analyzers/topic/accurate.js";
export { MULTILINGUAL, trustedIn } from "../analyzers/topic/languages.js";
export { EVIDENCE, type EvidenceSettings } from "../analyzers/topic/entity-evidence.js";
export {
  ENCODER_ENTITIES,
  ENCODER_POS,
  ENCODER_TAG_COUNT,
  ENCODER_TAG_NAMES,
  encoderBeginTag,
} from "../analyzers/topic/encoder-tags.js";
export { annotateFast } from "../analyzers/topic/fast.js";
export { findEntities } from "../analyzers/topic/entities.js";
export { COMMON_WORDS_FILE } from "../analyzers/topic/word-ranks.js";
export type { Annotation } from "../analyzers/topic/annotation.js";
export type { Entity, EntityType } from "../text/gazetteers.js";
export {
  FEATURE_BUCKETS,
  FEATURE_VERSION,
  featuresOf,
  type TokenFeatures,
} from "../analyzers/topic/tagger-features.js";
export { entriesOf, type Gazetteer } from "../text/gazetteers.js";
export {
  encodeColumns,
  MODEL_FOLDER,
  readTaggerCard,
  type TaggerCard,
  type TaggerModel,
} from "../analyzers/topic/tagger.js";
export { CARD_FILE, WEIGHTS_FILE } from "../models/shipped.js";
export { findNounChunks } from "../analyzers/topic/noun-chunks.js";
export { scoreToken, tagEntities } from "../analyzers/topic/tagger.js";
export { topicsOf } from "../analyzers/topic/topics.js";
export { beginTag, ENTITY_CLASSES, type EntityClass, mayFollow, TAG_COUNT } from "../analyzers/topic/tagger.js";
