import { expect, it } from "vitest";
import { decodeDocument } from "./decode.js";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf8 = (text: string) => Buffer.from(text, "utf8");
const utf16 = (text: string) => Buffer.from(text, "utf16le");

it.each([
  ["UTF-8 without any statement", utf8("<a>é – 東</a>"), undefined, "<a>é – 東</a>"],
  ["a byte order mark of UTF-8", utf8("\ufeff<a>é</a>"), "text/xml; charset=iso-8859-1", "<a>é</a>"],
  ["a byte order mark of UTF-16", utf16("\ufeff<a>é</a>"), "text/xml; charset=utf-8", "<a>é</a>"],
  ["UTF-16 without a mark", utf16("<a>é</a>"), undefined, "<a>é</a>"],
  ["UTF-16 with its high byte first", utf16("<a>é</a>").swap16(), undefined, "<a>é</a>"],
  ["the charset of the header", latin1("<a>\xbf</a>"), 'text/xml; charset="ISO-8859-7"', "<a>Ώ</a>"],
  [
    "the XML declaration",
    latin1('<?xml version="1.0" encoding="windows-1251"?><a>\xef</a>'),
    "text/xml",
    '<?xml version="1.0" encoding="windows-1251"?><a>п</a>',
  ],
  [
    "a header that contradicts valid UTF-8",
    utf8('<?xml version="1.0" encoding="utf-8"?><a>é</a>'),
    "text/xml; charset=iso-8859-1",
    '<?xml version="1.0" encoding="utf-8"?><a>é</a>',
  ],
  ["no statement and bytes that are not UTF-8", latin1("<a>caf\xe9 \x93x\x94</a>"), undefined, "<a>café “x”</a>"],
  ["UTF-8 that is stated and wrong", latin1("<a>caf\xe9</a>"), "text/xml; charset=utf-8", "<a>café</a>"],
  ["an encoding that nobody knows", utf8("<a>é</a>"), "text/xml; charset=klingon", "<a>é</a>"],
  [
    "UTF-16 that is stated and wrong",
    utf8('<?xml encoding="UTF-16"?><a>é</a>'),
    undefined,
    '<?xml encoding="UTF-16"?><a>é</a>',
  ],
])("decodes %s", (_name, bytes, contentType, text) => {
  expect(decodeDocument(bytes, contentType)).toBe(text);
});
