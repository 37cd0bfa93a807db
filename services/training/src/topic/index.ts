export { evaluateTopic } from "./evaluate.js";
export { trainTopic } from "./train.js";
