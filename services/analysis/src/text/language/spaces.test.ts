import { expect, it } from "vitest";
import { lacksSpaces } from "./spaces.js";

it.each([
  ["en", "thisisacompletelygluedtextthatnobodycanread"],
  ["en", "wewaitedanhourforthefood, thewaiterneverapologizedonce"],
  ["es", "nopuedocreerqueyasehayaacabado"],
  ["ru", "яужасноусталинехочуникудаидти"],
  ["de", "dasistmeinganzaltesfahrradundesfährtnochimmer"],
  ["ko", "오늘날씨가너무좋아서친구들과공원에갔어요"],
])("misses the spaces of a text in %s: %s", (language, text) => {
  expect(lacksSpaces(text, language)).toBe(true);
});

it.each([
  ["no text", "und", ""],
  ["words", "en", "The internationalization of telecommunications"],
  ["compounds", "de", "Geschwindigkeitsüberschreitungen"],
  ["Chinese", "zh", "昨天天气很好所以我们沿着河边散步然后一起吃饭喝茶聊天看书"],
  ["Japanese", "ja", "ありがとうございましたまたよろしくおねがいいたします"],
  ["Thai", "th", "เมื่อวานอากาศดีมากเราเลยเดินเล่นริมแม่น้ำด้วยกัน"],
  ["laughter", "en", "hahahahahahahahahahahahahahaha"],
  ["elongation", "en", "noooooooooooooooooooooooooooooooo wayyyyyyyyyyyyyyyyy"],
  ["a hashtag", "en", "#thisisthebestdayofmylifeandiloveit"],
  ["an address", "en", "https://example.com/thisisaveryveryverylongaddressindeed"],
  ["a name with capitals", "en", "AdjacentToBottomDisplayEdge is gone"],
  [
    "one such word among others",
    "en",
    "She wrote supercalifragilisticexpialidocious and we all laughed about it for an hour",
  ],
])("misses none in %s", (_, language, text) => {
  expect(lacksSpaces(text, language)).toBe(false);
});
