export { accurateAnnotator, type Annotator, fastAnnotator } from "./annotators.js";
export { evaluateTopic } from "./evaluate.js";
export { trainTopic } from "./train.js";
