export { evaluateLanguage } from "./evaluate.js";
export { trainLanguage } from "./train.js";
