export { argmax } from "../../text/classification.js";
export { BUCKETS, TRIPLE_BIT } from "../../text/ngrams/hash.js";
export { DENSE_FEATURES, FEATURIZER, featurize, type Features } from "../../text/ngrams/features.js";
export { modelFolder } from "./classifier.js";
export { CARD_FILE, WEIGHTS_FILE } from "../../models/shipped.js";
export { type LinearModel, type ModelCard, readModel } from "./model.js";
export { createScorer, type Scorer } from "./scorer.js";
export { softmax } from "./softmax.js";
export { decodeWeights, encodeWeights, type Weights } from "./weights.js";
