import { describe, expect, it } from "vitest";
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

/** A text in an encoding, byte by byte as its decoder reads it. */
function encoded(text: string, encoding: string): Uint8Array {
  const bytes = new Map<string, number[]>();
  const decoder = new TextDecoder(encoding);
  for (let first = 0; first < 0x100; first++) {
    const single = decoder.decode(Uint8Array.of(first));
    if (single.length === 1 && single !== "\ufffd") bytes.set(single, [first]);
    else {
      for (let second = 0x40; second < 0x100; second++) {
        const double = decoder.decode(Uint8Array.of(first, second));
        if (double.length === 1 && double !== "\ufffd") bytes.set(double, [first, second]);
      }
    }
  }
  return Uint8Array.from([...text].flatMap((character) => bytes.get(character) ?? []));
}

const SENTENCES = {
  Russian: "Сегодня в порту приняли новый кран и паром, жители города встретили их на набережной",
  Greek: "Σήμερα στο λιμάνι έφτασε ο νέος γερανός και το πλοίο, οι κάτοικοι το υποδέχτηκαν",
  Japanese: "今日、港で新しいクレーンが動き始めました。市民は岸壁で船を迎えました。",
  Chinese: "今天港口迎来了新的起重机和渡轮。市民们在码头上欢迎它们。",
  Korean: "오늘 항구에 새로운 크레인과 여객선이 도착했습니다. 시민들이 환영했습니다.",
};
const feedOf = (text: string, declaration: string) =>
  `<?xml version="1.0"${declaration}?><rss><channel><item><title>${text}</title><link>https://news.example.org/1</link>` +
  "<pubDate>Wed, 25 Nov 2026 08:00:00 +0000</pubDate></item></channel></rss>";

const CASES = [
  [SENTENCES.Russian, "windows-1251"],
  [SENTENCES.Russian, "koi8-r"],
  [SENTENCES.Greek, "iso-8859-7"],
  [SENTENCES.Japanese, "shift_jis"],
  [SENTENCES.Japanese, "euc-jp"],
  [SENTENCES.Chinese, "gbk"],
  [SENTENCES.Korean, "euc-kr"],
] as const;

describe("a text that is not in UTF-8", () => {
  it.each(CASES)("is read as stated by the document: %s in %s", (sentence, encoding) => {
    const document = feedOf(sentence, ` encoding="${encoding}"`);
    expect(decodeDocument(encoded(document, encoding), "text/xml")).toBe(document);
    // A server that states one encoding for all that it sends.
    expect(decodeDocument(encoded(document, encoding), "text/xml; charset=ISO-8859-1")).toBe(document);
  });

  it.each(CASES)("is recognized if it is stated wrongly or not at all: %s in %s", (sentence, encoding) => {
    const wrong = feedOf(sentence, ' encoding="utf-8"');
    expect(decodeDocument(encoded(wrong, encoding), "text/xml; charset=utf-8")).toBe(wrong);
    const silent = feedOf(sentence, "");
    expect(decodeDocument(encoded(silent, encoding), undefined)).toBe(silent);
    expect(decodeDocument(encoded(silent, encoding), "text/xml; charset=iso-8859-1")).toBe(silent);
  });

  it.each(CASES)("keeps its encoding if a byte is damaged: %s in %s", (sentence, encoding) => {
    const document = feedOf(sentence, ` encoding="${encoding}"`);
    const bytes = encoded(document, encoding);
    const damaged = Buffer.concat([bytes, Uint8Array.of(0xff)]);
    expect(decodeDocument(damaged, "text/xml").slice(0, document.length)).toBe(document);
  });

  it("is read in Latin letters if that is what it is", () => {
    const french = feedOf("Aujourd'hui le port a reçu une grue, les habitants sont très émus à la jetée", "");
    expect(decodeDocument(encoded(french, "windows-1252"), "text/xml; charset=utf-8")).toBe(french);
  });

  it("may be of seven bits", () => {
    const bytes = Buffer.concat([Buffer.from("<a>\x1b$B"), Buffer.from("%/%l!<%s"), Buffer.from("\x1b(B</a>")]);
    expect(decodeDocument(bytes, "text/xml; charset=ISO-2022-JP")).toBe("<a>クレーン</a>");
  });
});

describe("a text in UTF-8", () => {
  const document = feedOf("Сегодня в порту кран| и паром", ' encoding="utf-8"');
  const at = Buffer.from(document.slice(0, document.indexOf("|"))).length;
  const whole = Buffer.from(document.replace("|", ""));
  const withByte = (byte: number) => Buffer.concat([whole.subarray(0, at), Uint8Array.of(byte), whole.subarray(at)]);

  it.each([0xff, 0x80, 0xd0, 0xe2, 0xc0])(
    "with the damaged byte %i has one mark of it and is otherwise as written",
    (byte) => {
      expect(decodeDocument(withByte(byte), "text/xml; charset=utf-8")).toBe(document.replace("|", "\ufffd"));
    },
  );

  it.each(["iso-8859-1", "windows-1251", "gbk", "us-ascii", "klingon"])("is read although %s is stated", (charset) => {
    expect(decodeDocument(whole, `text/xml; charset=${charset}`)).toBe(document.replace("|", ""));
    expect(decodeDocument(withByte(0xff), `text/xml; charset=${charset}`)).toBe(document.replace("|", "\ufffd"));
  });
});
