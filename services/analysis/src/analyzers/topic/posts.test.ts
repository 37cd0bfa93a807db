import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { wordsOfHashtag } from "./hashtag-words.js";
import { createTopic } from "./fast-topics.js";

const analyzer = createTopic();
const topics = (text: string) => analyzer.analyze(createDocument(text), { explain: true });
const values = (text: string) => topics(text).map(({ value }) => value);

/** A post, its first topics in order, and strings that must not be among its topics. */
type Post = readonly [text: string, first: readonly string[], never?: readonly string[]];

const POSTS: readonly Post[] = [
  ["apple's service is the worst. On hold with Apple, never again, APPLE", ["Apple"], ["apple", "APPLE", "apple's"]],
  [
    "So excited for the #WorldCup2022 final, Messi deserves this one!",
    ["Messi", "World Cup 2022"],
    ["one", "this one"],
  ],
  [
    "Can't believe Taylor Swift is coming to Chicago next summer 😭😭",
    ["Taylor Swift", "Chicago"],
    ["next summer", "😭"],
  ],
  [
    "my landlord refuses to fix the heating, any advice about tenant rights?",
    ["landlord", "tenant rights"],
    ["my landlord"],
  ],
  [
    "@delta your app crashed twice while I was checking in for my flight to Denver",
    ["Denver", "app"],
    ["@delta", "delta"],
  ],
  ["soooo tiredddd of this weather ugh ☔️", ["weather"], ["soooo", "tiredddd", "ugh"]],
  ["Climate change is the biggest threat. Climate change will cost us trillions.", ["Climate change"]],
  ["Anyone know a good dentist in Portland? My tooth is killing me", ["Portland"], ["Anyone", "me", "My tooth"]],
  ["Angela Merkel wins again. Merkel promised to win back voters http://t.co/xyz", ["Angela Merkel"], ["Merkel"]],
  ["New post: How to bake sourdough bread at home https://t.co/abc #baking", ["sourdough bread"], ["https://t.co/abc"]],
  ["Tesla stock is down 5% after Elon Musk sold shares. Tesla is angry.", ["Tesla", "Elon Musk"], ["5", "5%"]],
  ["The food was cold, the waiter was rude, and the bill was wrong.", ["waiter"], ["The food", "the waiter"]],
  ["No puedo creer que el Real Madrid perdió otra vez contra el Barcelona", ["Real Madrid"], ["vez", "puedo"]],
  ["lol", []],
  ["Pizza", ["Pizza"]],
  ["😂😂😂", []],
  ["#throwbackthursday to our trip to Bali", ["Bali", "throwback thursday"], ["throwbackthursday"]],
  ["Watching Game of Thrones with mom and she keeps asking who everyone is", ["Game of Thrones"], ["everyone", "she"]],
  ["I think Congress should repeal the Affordable Care Act", ["Congress", "Affordable Care Act"]],
  ["the dogs at the shelter need homes. Please adopt a dog! dogs are the best", ["dogs"], ["dog", "a dog"]],
  ["Traffic on I-95 is a nightmare this morning", ["Traffic"], ["this morning", "morning", "I"]],
  ["Does anyone else hate Mondays?", [], ["anyone", "Mondays"]],
  ["Good morning everyone! Have a great day!", [], ["Good morning", "great day", "everyone"]],
  ["I love my job, I love my coworkers, but the commute is killing me", ["commute"], ["I", "me"]],
  ["my son started speaking Spanish at school and now he corrects my Spanish lol", ["Spanish"], ["lol", "he"]],
  [
    "Review: Samsung Galaxy S23\nThe camera is great. The Galaxy S23 is the best.",
    ["Samsung Galaxy S23"],
    ["Galaxy S23"],
  ],
  ["4 tickets for Coldplay at Wembley Stadium for sale, DM me", ["Coldplay", "Wembley Stadium"], ["4", "DM"]],
  ["It's been 10 years since Hurricane Sandy hit New Jersey", ["Hurricane Sandy", "New Jersey"], ["10 years"]],
  ["Feeling depressed about the election results, democracy is dying", ["election results"], ["Feeling"]],
  ["Queuing outside Primark since 6am, this sale better be worth it", ["Primark"], ["6am", "it"]],
  [
    "Ich habe heute den neuen Tesla in Berlin gesehen, ein wirklich schönes Auto mit viel Platz",
    ["Tesla", "Berlin"],
    ["Auto", "Platz", "schönes Auto", "Ich"],
  ],
  ["omg my dog ate my homework 😂😂😂 literally", ["dog", "homework"], ["omg", "literally"]],
  ["Why is nobody talking about the water crisis in Flint?", ["Flint", "water crisis"], ["nobody"]],
  [
    "The new season of Stranger Things dropped on Netflix",
    ["Stranger Things", "Netflix"],
    ["The new season", "Things"],
  ],
  ["I had pizzaaaa for dinner, the best pizza in Naples", ["Naples"], ["pizzaaaa", "I"]],
  [
    "Serena Williams beat her sister in the final. Serena was on fire. #USOpen",
    ["Serena Williams"],
    ["Serena", "USOpen"],
  ],
  ["Rest in peace David Bowie, your music changed my life", ["David Bowie"], ["your music"]],
  ["#MondayMotivation #fitness #gym", ["Monday Motivation", "fitness", "gym"], ["MondayMotivation"]],
  ["@POTUS @VP please do something about gun violence!!!", ["gun violence"], ["something", "@POTUS", "POTUS"]],
  ["Brexit means Brexit, said Theresa May. Brexit talks with the EU resume.", ["Brexit", "Theresa May"]],
  ["EE customer support told me to restart my router again...", ["EE"], ["me", "..."]],
  ["The Republicans blocked the bill, Democrats are furious", ["Republicans", "Democrats"]],
  ["so happy #London #london", ["London"], ["london"]],
  ["THE GOVERNMENT IS LYING TO US ABOUT THE VACCINE", [], ["THE GOVERNMENT", "THE VACCINE", "US ABOUT"]],
  ["12 34 :) http://t.co/abc @someone", []],
];

describe("topics of posts", () => {
  for (const [text, first, never = []] of POSTS) {
    it(text, () => {
      const found = values(text);
      expect(found.slice(0, first.length)).toEqual(first);
      for (const value of never) expect(found).not.toContain(value);
    });
  }

  it("names no topic twice, and shows each where it stands", () => {
    for (const [text] of POSTS) {
      const found = topics(text);
      const keys = found.map(({ value }) => value.toLowerCase());
      expect(new Set(keys).size, text).toBe(keys.length);
      const characters = Array.from(text);
      for (const { offsets = [] } of found) {
        expect(offsets.length, text).toBeGreaterThan(0);
        for (const { start, end } of offsets) expect(characters.slice(start, end).join("").trim(), text).not.toBe("");
      }
    }
  });

  it("counts code points, and covers the whole of a hashtag", () => {
    const text = "😂 Google! #WorldCup 😂 google Google";
    const characters = Array.from(text);
    const places = new Map(
      topics(text).map(({ value, offsets = [] }) => [
        value,
        offsets.map(({ start, end }) => characters.slice(start, end).join("")),
      ]),
    );
    expect(places.get("World Cup")).toEqual(["#WorldCup"]);
    expect(places.get("Google")).toEqual(expect.arrayContaining(["Google"]));
  });

  it("leaves places out unless they are asked for", () => {
    const [topic] = analyzer.analyze(createDocument("Google is great"), { explain: false });
    expect(topic).toEqual({ value: "Google", topic_type: "entity", sub_type: "ORG" });
  });
});

describe("wordsOfHashtag", () => {
  it.each([
    ["#throwbackthursday", "throwback thursday"],
    ["#THROWBACKTHURSDAY", "THROWBACK THURSDAY"],
    ["#WorldCup2014", "World Cup 2014"],
    ["#justinbieber", "justin bieber"],
    ["#losangeles", "los angeles"],
    ["#GameOfThrones", "Game Of Thrones"],
    ["#100DaysOfCode", "100 Days Of Code"],
    ["#photooftheday", "photo of the day"],
    ["#ihatemondays", "i hate mondays"],
    ["#tvshow", "tv show"],
    ["#iPhone12", "iPhone 12"],
    ["#YouTube", "YouTube"],
    ["#NBAFinals", "NBA Finals"],
    ["#AIethics", "AI ethics"],
    ["#CEOs", "CEOs"],
    ["#black_friday", "black friday"],
    ["#vegan", "vegan"],
    ["#MAGA", "MAGA"],
    ["#cryptocurrency", "cryptocurrency"],
  ])("%s", (hashtag, words) => {
    expect(wordsOfHashtag(hashtag)).toBe(words);
  });
});
