export { trainTopic } from "./train.js";
