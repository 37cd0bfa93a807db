import { expect, it } from "vitest";
import { countryCodeOf, isLanguageCode, languageCodeOf } from "./codes.js";

it.each([
  ["pt", ["pt", "PT", "pt-BR", "pt_BR", "por", "POR", "pt_BR.UTF-8", " pt ", "Portuguese", "portuguese"]],
  ["he", ["he", "iw", "heb"]],
  ["zh", ["zh-Hans-CN", "zho", "chi", "cmn"]],
  ["de", ["de@euro", "ger", "deu", "German"]],
  ["fil", ["fil", "tl"]],
  [undefined, ["und", "zxx", "qme", "xx", "", "-", "klingon", "in all languages", "🦅", "constructor"]],
])("the code of a language is %s", (code, texts) => {
  expect(texts.map(languageCodeOf)).toEqual(texts.map(() => code));
});

it("is a code of a language in any case, and no name, region, old or longer code", () => {
  const codes = ["pt", "PT", " zh ", "fil", "tl", "no", "nb", "yue"];
  expect(codes.filter((code) => !isLanguageCode(code))).toEqual([]);
  const others = ["pt-BR", "por", "iw", "Portuguese", "und", "mul", "none", "xx", "", "constructor"];
  expect(others.filter(isLanguageCode)).toEqual([]);
});

it.each([
  ["GB", ["GB", "gb", "UK", "uk", "GBR", "826", "GB-ENG", "gb_sct", "United Kingdom", "england"]],
  ["US", ["us", "usa", "USA", "840", "US-CA", "United States", "U.S."]],
  ["NA", ["NA", "Namibia", "516"]],
  ["AF", ["004", "4", "afg"]],
  ["CI", ["Côte d’Ivoire", "CIV"]],
  ["MM", ["Myanmar", "Myanmar (Burma)"]],
  [undefined, ["ZZ", "XX", "EU", "999", "", "Atlantis", "constructor"]],
])("the code of a country is %s", (code, texts) => {
  expect(texts.map(countryCodeOf)).toEqual(texts.map(() => code));
});
