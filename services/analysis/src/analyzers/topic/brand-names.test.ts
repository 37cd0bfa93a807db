import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createTopic } from "./fast-topics.js";

const analyzer = createTopic();
const analyze = (text: string) => analyzer.analyze(createDocument(text), { explain: true });
const topics = (text: string) =>
  analyze(text).map(({ value, topic_type: type, sub_type: tag }) =>
    type === "entity" ? `${value}/${tag ?? ""}` : value,
  );

describe("handles", () => {
  it.each([
    ["@AmazonHelp", "Amazon/ORG"],
    ["@amazonhelp", "Amazon/ORG"],
    ["@Amazon", "Amazon/ORG"],
    ["@AppleSupport", "Apple/ORG"],
    ["@applesupport", "Apple/ORG"],
    ["@Nestle_UK", "Nestle/ORG"],
    ["@AskPayPal", "PayPal/ORG"],
    ["@BTCare", "BT/ORG"],
    ["@TMobileHelp", "T-Mobile/ORG"],
    ["@youtube", "YouTube/ORG"],
    ["@NHSEngland", "NHS England/ORG"],
    ["@British_Airways", "British Airways/ORG"],
    ["@XboxSupport", "Xbox/PRODUCT"],
  ])("of brands name them: %s", (handle, topic) => {
    expect(topics(`${handle} what now?`)).toEqual([topic]);
  });

  it.each([
    "@AppleBlossomFarm",
    "@delta",
    "@kiss",
    "@TargetPractice",
    "@TeslaFan88",
    "@NikeLover",
    "@nike_",
    "@chelsea_x",
    "@ford_sarah",
    "@trainspotter",
    "@takethat",
    "@BarackObama",
    "@o2",
  ])("of people and ordinary words name nothing: %s", (handle) => {
    expect(topics(`${handle} what now?`)).toEqual([]);
  });

  it("count as places of their brand", () => {
    const [topic] = analyze("@AmazonHelp Amazon lost it");
    expect(topic).toMatchObject({
      value: "Amazon",
      offsets: [
        { start: 0, end: 11 },
        { start: 12, end: 18 },
      ],
    });
  });
});

describe("hashtags", () => {
  it.each([
    ["#BoycottNestle", ["Nestle/ORG"]],
    ["#boycottnestle", ["Nestle/ORG"]],
    ["#BoycottTarget", ["Target/ORG"]],
    ["#ThanksNHS", ["NHS/ORG"]],
    ["#saveournhs", ["NHS/ORG"]],
    ["#DeleteFacebook", ["Facebook/ORG"]],
    ["#StandWithUkraine", ["Ukraine/GPE"]],
    ["#PrayForParis", ["Paris/GPE"]],
    ["#IloveNewYork", ["New York/GPE"]],
    ["#FreeBritney", ["Britney/PERSON"]],
    ["#JusticeForGeorgeFloyd", ["George Floyd/PERSON"]],
    ["#NHSHeroes", ["NHS/ORG", "NHS Heroes"]],
    ["#GameOfThronesFinale", ["Game of Thrones/WORK_OF_ART", "Game Of Thrones Finale"]],
    ["#nhs", ["NHS/ORG"]],
  ])("name what they contain: %s", (hashtag, expected) => {
    expect(topics(`${hashtag} now`)).toEqual(expected);
  });

  it.each([
    ["#targetpractice", "target practice"],
    ["#TargetPractice", "Target Practice"],
    ["#applepie", "apple pie"],
    ["#SaveTheDolphins", "Save The Dolphins"],
    ["#FreeWill", "Free Will"],
    ["#dogsofinstagram", "dogs of instagram"],
  ])("with ordinary words name nobody: %s", (hashtag, value) => {
    expect(topics(`${hashtag} now`)).toEqual([value]);
  });
});
