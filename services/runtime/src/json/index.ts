export {
  decodeUtf8,
  JsonShape,
  MalformedJson,
  NotUtf8,
  parseJson,
  parseLongNumbers,
  type ShapeLimits,
  tooMuchJson,
} from "./parse.js";
export { parseLargeJson } from "./parse-thread.js";
export {
  dayOf,
  GIVE,
  GIVE_WHOLE_CHARACTERS,
  giveMissing,
  isWhole,
  type Moment,
  momentOf,
  momentOrDayOf,
  Spelling,
  toDate,
  toIso,
  type Violations,
} from "./values.js";
export { ID_NEEDED } from "../rpc/validation/rule-sentences.js";
