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
  boolean,
  calendarDate,
  dayOf,
  HALF_CHARACTER,
  id,
  isWhole,
  list,
  type Moment,
  momentOf,
  object,
  ObjectReader,
  type Read,
  Spelling,
  string,
  toDate,
  toIso,
  type Violations,
  wrong,
} from "./reader.js";
export { ID_NEEDED, REQUIRED } from "../rpc/validation/rule-sentences.js";
