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
  id,
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
