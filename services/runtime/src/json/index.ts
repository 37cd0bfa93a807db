export { parseLongNumbers } from "./long-numbers.js";
export { decodeUtf8, MalformedJson, NotUtf8, parseJson } from "./parse.js";
export { parseLargeJson } from "./parse-thread.js";
export { boolean, id, list, object, ObjectReader, string, wrong, type Read, type Violations } from "./reader.js";
export { JsonShape, tooMuchJson, type ShapeLimits } from "./shape.js";
export { Spelling } from "./spelling.js";
export { calendarDate, momentOf, toDate, toIso, type Moment } from "./time.js";
