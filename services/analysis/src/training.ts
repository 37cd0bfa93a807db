import { getOption } from "@bufbuild/protobuf";
import { AnalysisTypeSchema } from "@hourglass/proto/operation/v1/operation";
import { analysis_result as analysisResult } from "@hourglass/proto/options/v1/analyses";
import { enumSpellings } from "@hourglass/runtime";
import type { ClassifyingAnalysis } from "./registry/analyses.js";

/** The exports for training, evaluation and measurements; no running service imports them. */
export {
  brandKey,
  type BrandKind,
  BRANDS_FILE,
  type BrandSpelling,
  brandWords,
  formatBrands,
} from "./analyzers/logo-id/brands.js";
export { captionIngredients } from "./analyzers/caption/composed-caption.js";
export { sentenceOf } from "./analyzers/caption/sentence.js";
export { findMarks } from "./analyzers/logo-id/find-marks.js";
export { createActivityId } from "./analyzers/activity-id/activity-id.js";
export { createLogoId } from "./analyzers/logo-id/logo-id.js";
export { createObjectId } from "./analyzers/object-id/object-id.js";
export { editDistance } from "./analyzers/logo-id/match-brands.js";
export { type Measure, profileOf } from "./analyzers/personality-mb/profile.js";
export { annotateAccurately } from "./analyzers/topic/accurate-topics.js";
export { type Annotation } from "./analyzers/topic/annotation.js";
export {
  ENCODER_ENTITIES,
  ENCODER_POS,
  ENCODER_TAG_COUNT,
  ENCODER_TAG_NAMES,
  encoderBeginTag,
} from "./analyzers/topic/encoder-tags.js";
export { findEntities } from "./analyzers/topic/entities.js";
export { annotateFast } from "./analyzers/topic/fast-topics.js";
export { FEATURE_BUCKETS, FEATURE_VERSION, featuresOf, type TokenFeatures } from "./analyzers/topic/tagger-features.js";
export {
  beginTag,
  encodeColumns,
  ENTITY_CLASSES,
  type EntityClass,
  mayFollow,
  MODEL_FOLDER,
  readTaggerCard,
  TAG_COUNT,
  type TaggerCard,
  type TaggerModel,
} from "./analyzers/topic/tagger.js";
export { MULTILINGUAL, trustedIn } from "./analyzers/topic/topic-languages.js";
export { topicsOf } from "./analyzers/topic/topics.js";
export { COMMON_WORDS_FILE } from "./analyzers/topic/word-ranks.js";
export {
  calibrationOf,
  ENCODER_FOLDER,
  type EncoderCard,
  type EncoderTask,
  MULTILINGUAL_FOLDER,
  TOKENIZER_FILE,
} from "./engines/encoder/card.js";
export { createScores } from "./engines/encoder/encoder-classifier.js";
export { contradicts } from "./engines/encoder/emotion-sentiment.js";
export { type Encoder, encoderOf, encodersOf, encodingOf, prepareEncodings } from "./engines/encoder/encoder.js";
export { createVocabulary, type Pieces, type Vocabulary } from "./engines/encoder/vocabulary.js";
export { modelFolder } from "./engines/linear/loaded-model.js";
export {
  encodeWeights,
  type LinearModel,
  type ModelCard,
  readModel,
  type Weights,
} from "./engines/linear/linear-model.js";
export { createScorer } from "./engines/linear/scorer.js";
export { findFfmpeg } from "./media/ffmpeg.js";
export { createFrame } from "./media/frame.js";
export { decodeImage } from "./media/image.js";
export { inspectFile } from "./media/probe/inspector.js";
export { transcribe, type Transcript } from "./media/speech.js";
export { CARD_FILE, WEIGHTS_FILE } from "./models/shipped-models.js";
export { argmax } from "./text/argmax.js";
export { softmax } from "./text/classification.js";
export { type Entity, type EntityType, entriesOf, type Gazetteer } from "./text/gazetteers.js";
export { createDetector, decide, UNDETERMINED } from "./text/language/detector.js";
export { createGuesser } from "./text/language/guess.js";
export {
  encodeLanguageWeights,
  LANGUAGE_MODEL_FOLDER,
  type LanguageCard,
  type LanguageModel,
  type LanguageWeights,
  packEntry,
  readLanguageModel,
} from "./text/language/language-model.js";
export { clean } from "./text/language/letters.js";
export { LANGUAGE_FEATURIZER, NgramReader } from "./text/language/ngram-reader.js";
export { ADDRESS_FIRST, BUCKETS, BUCKETS_END, isDense, TRIPLE_BIT } from "./text/ngrams/buckets.js";
export { DENSE_FEATURES, type Features, featurize, FEATURIZER } from "./text/ngrams/features.js";
export { valenceOf } from "./text/ngrams/lexicon.js";
export { type RawToken, tokenize } from "./text/tokenizer.js";
export { tagText, type Token } from "./text/tokens.js";
export { wink } from "./text/wink.js";
export { type Frame, type NamedMark, type PrintedLine, type UnreadPrint } from "./types.js";
export { ACTIVITIES } from "./vision/activities.js";
export { drawMark, drawPrint, drawSentence, markOf, type PrintStyle, type SentenceStyle } from "./vision/drawing.js";
export { detectFaces } from "./vision/faces.js";
export { findingsOf } from "./vision/findings.js";
export { detectObjects } from "./vision/objects.js";
export { readPrint, readWords } from "./vision/printed-words.js";

const SPELLINGS = enumSpellings(AnalysisTypeSchema);

/** The labels of an analysis in the order of the contract, which is also that of the shipped models. */
export const contractLabels = (analysis: ClassifyingAnalysis): readonly string[] => {
  const value = AnalysisTypeSchema.values.find(({ number }) => SPELLINGS.get(number) === analysis);
  if (value === undefined) throw new Error(`the contract has no analysis ${analysis}`);
  return getOption(value, analysisResult).labels;
};
