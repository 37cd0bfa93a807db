/** The exports for training and evaluating the linear models. */
export { modelFolder } from "../engines/linear/classifier.js";
export {
  decodeWeights,
  encodeWeights,
  type LinearModel,
  type ModelCard,
  readModel,
  type Weights,
} from "../engines/linear/model.js";
export { createScorer, type Scorer } from "../engines/linear/scorer.js";
export { CARD_FILE, WEIGHTS_FILE } from "../models/shipped.js";
export { argmax, softmax } from "../text/classification.js";
export { BUCKETS, TRIPLE_BIT } from "../text/ngrams/buckets.js";
export { DENSE_FEATURES, FEATURIZER, featurize, type Features } from "../text/ngrams/features.js";
