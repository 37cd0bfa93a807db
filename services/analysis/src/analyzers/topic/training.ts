/** What training and evaluating the entity tagger and the noun chunks need of this analyzer. */
export { tokenize } from "../../text/tokenizer.js";
export { tagText, type Token } from "../../text/tokens.js";
export { annotateEncoded } from "./accurate-annotation.js";
export { annotateAccurately } from "./accurate.js";
export { EVIDENCE, type EvidenceSettings } from "./entity-evidence.js";
export {
  ENCODER_ENTITIES,
  ENCODER_POS,
  ENCODER_TAG_COUNT,
  ENCODER_TAG_NAMES,
  encoderBeginTag,
} from "./encoder-tags.js";
export { annotateFast } from "./fast-annotation.js";
export { findEntities } from "./entities.js";
export { COMMON_WORDS_FILE } from "./common-words.js";
export type { Annotation } from "./annotation.js";
export type { Entity, EntityType } from "./entity.js";
export { FEATURE_BUCKETS, FEATURE_VERSION, featuresOf, type TokenFeatures } from "./features.js";
export { entriesOf, type Gazetteer } from "./gazetteers.js";
export {
  CARD_FILE,
  encodeColumns,
  MODEL_FOLDER,
  readTaggerCard,
  type TaggerCard,
  type TaggerModel,
  WEIGHTS_FILE,
} from "./model-file.js";
export { findNounChunks } from "./noun-chunks.js";
export { scoreToken, tagEntities } from "./tagger.js";
export { topicsOf } from "./topics.js";
export { beginTag, ENTITY_CLASSES, type EntityClass, mayFollow, TAG_COUNT } from "./tags.js";
