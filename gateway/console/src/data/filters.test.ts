import { describe, expect, test } from "vitest";
import {
  addressOf,
  cleared,
  entriesOf,
  filterForApi,
  isFiltered,
  isJudged,
  LIST_FILTERS,
  narrowedTo,
  onlyFilters,
  queryForApi,
  readFilters,
  toggled,
  withPeriod,
  withSingle,
  withValues,
} from "./filters.js";

const parametersOf = (text: string): URLSearchParams => new URLSearchParams(text);

describe("reading an address", () => {
  test("finds every filter under its name", () => {
    const filters = readFilters(
      parametersOf(
        "from=2026-11-01&to=2026-11-26&interval=day&platform=news,reddit&polarity=negative&emotion=anger&intention=wish" +
          "&language=en&country=PT&type=reply&author=ada&topic=recall&tag=ev&domain=feed.example&label=car&spam=hide&q=brakes&sort=engagement",
      ),
    );
    expect(filters).toEqual({
      from: "2026-11-01",
      to: "2026-11-26",
      interval: "day",
      sort: "engagement",
      spam: "hide",
      q: "brakes",
      lists: {
        platform: ["news", "reddit"],
        polarity: ["negative"],
        emotion: ["anger"],
        intention: ["wish"],
        language: ["en"],
        country: ["PT"],
        type: ["reply"],
        author: ["ada"],
        topic: ["recall"],
        tag: ["ev"],
        domain: ["feed.example"],
        label: ["car"],
      },
      unknown: [],
    });
  });

  test("separates words at commas and takes other values as they are", () => {
    const { lists } = readFilters(
      parametersOf("platform=news,%20reddit&platform=tiktok&topic=Leeds,%20Lyon&topic=car"),
    );
    expect(lists).toEqual({ platform: ["news", "reddit", "tiktok"], topic: ["Leeds, Lyon", "car"] });
  });

  test("takes each value once, and none that is empty", () => {
    const { lists } = readFilters(parametersOf("platform=news,,news&topic=Car&topic=car&tag=&author=%20"));
    expect(lists).toEqual({ platform: ["news"], topic: ["Car"] });
  });

  test("keeps what it does not know apart", () => {
    const { lists, unknown, from, interval } = readFilters(
      parametersOf("platform=news,gopher&emotion=envy&from=yesterday&interval=minute&spam=maybe&country=Portugal"),
    );
    expect(lists).toEqual({ platform: ["news"] });
    expect({ from, interval }).toEqual({ from: undefined, interval: undefined });
    expect(unknown).toEqual([
      { name: "from", value: "yesterday" },
      { name: "interval", value: "minute" },
      { name: "spam", value: "maybe" },
      { name: "platform", value: "gopher" },
      { name: "emotion", value: "envy" },
      { name: "country", value: "Portugal" },
    ]);
  });

  test("of none is no filter", () => {
    const filters = readFilters(parametersOf("posting=news-1&spike=2026-11-24"));
    expect(filters).toEqual({ lists: {}, unknown: [] });
    expect(isFiltered(filters)).toBe(false);
  });
});

describe("changing an address", () => {
  test("adds a value and removes it, in upper or lower case", () => {
    const added = toggled(parametersOf("platform=news&from=2026-11-01"), "platform", "reddit");
    expect(addressOf("/insights/1", added)).toBe("/insights/1?from=2026-11-01&platform=news,reddit");
    expect(addressOf("/insights/1", toggled(added, "platform", "news"))).toBe(
      "/insights/1?from=2026-11-01&platform=reddit",
    );
    expect(toggled(parametersOf("topic=Car"), "topic", "car").toString()).toBe("");
  });

  test("repeats values that may hold commas, and reads them as they were", () => {
    const parameters = withValues(parametersOf(""), "topic", ["Leeds, Lyon", "a&b=c", "#1"]);
    const read = new URL(addressOf("https://example.com/", parameters)).searchParams;
    expect(readFilters(read).lists.topic).toEqual(["Leeds, Lyon", "a&b=c", "#1"]);
  });

  test("replaces the values of a kind and leaves all else, also what it does not know", () => {
    const parameters = parametersOf("emotion=joy,fear&platform=gopher&posting=news-1&later=1");
    expect(narrowedTo(parameters, "emotion", "anger").toString()).toBe(
      "platform=gopher&posting=news-1&later=1&emotion=anger",
    );
  });

  test("sets a period and single values", () => {
    const parameters = withPeriod(parametersOf("q=x"), { from: "2026-11-01", to: "2026-11-02" });
    expect(withSingle(parameters, "q", undefined).toString()).toBe("from=2026-11-01&to=2026-11-02");
    expect(withSingle(parameters, "interval", "hour").get("interval")).toBe("hour");
  });

  test("clears filters and what is not known, but neither period nor order", () => {
    const parameters = parametersOf(
      "from=2026-11-01&interval=hour&sort=engagement&platform=news&topic=a&q=b&spam=hide&to=never",
    );
    expect(cleared(parameters).toString()).toBe("from=2026-11-01&interval=hour&sort=engagement");
  });

  test("keeps only filters for another screen", () => {
    const parameters = parametersOf("posting=news-1&topic=a&topic=b&spike=x&platform=gopher");
    expect(onlyFilters(parameters).toString()).toBe("topic=a&topic=b&platform=gopher");
  });
});

describe("the entries of an address", () => {
  test("say what they are and how it is without them", () => {
    const entries = entriesOf(parametersOf("platform=news,reddit&platform=gopher&spam=hide&q=brakes&to=never"));
    expect(entries.map(({ name, value, isKnown, without }) => [name, value, isKnown, without.toString()])).toEqual([
      ["platform", "news", true, "spam=hide&q=brakes&to=never&platform=reddit%2Cgopher"],
      ["platform", "reddit", true, "spam=hide&q=brakes&to=never&platform=news%2Cgopher"],
      ["spam", "hide", true, "platform=news%2Creddit&platform=gopher&q=brakes&to=never"],
      ["q", "brakes", true, "platform=news%2Creddit&platform=gopher&spam=hide&to=never"],
      ["to", "never", false, "platform=news%2Creddit&platform=gopher&spam=hide&q=brakes"],
      ["platform", "gopher", false, "spam=hide&q=brakes&to=never&platform=news%2Creddit"],
    ]);
  });
});

describe("a name of an address", () => {
  test("may be the one of the API", () => {
    const parameters = parametersOf("hashtag=ev&tag=recall&sentiment=anger");
    expect(readFilters(parameters).lists).toEqual({ tag: ["recall", "ev"], emotion: ["anger"] });
    expect(toggled(parameters, "tag", "ev").toString()).toBe("sentiment=anger&tag=recall");
    expect(onlyFilters(parameters).toString()).toBe(parameters.toString());
    expect(cleared(parameters).toString()).toBe("");
  });

  test("is shown if nothing has it: without it, everything would be shown", () => {
    const parameters = parametersOf("tags=ev&posting=news-1&spike=x");
    expect(entriesOf(parameters)).toEqual([
      { name: "tags", value: "ev", isKnown: false, without: parametersOf("posting=news-1&spike=x") },
    ]);
  });
});

describe("the query of the API", () => {
  test("has the names of the API and leaves out what is not known", () => {
    const filters = readFilters(
      parametersOf("emotion=anger,envy&tag=ev&platform=gopher&country=pt&label=car&q=brakes&author=none"),
    );
    expect(filterForApi(filters)).toEqual({
      sentiment: ["anger"],
      hashtag: ["ev"],
      country: ["pt"],
      label: ["car"],
      q: "brakes",
      author: ["none"],
    });
  });

  test("has a parameter for each kind of filter", () => {
    const filters = { lists: Object.fromEntries(LIST_FILTERS.map((name) => [name, ["x"]])), unknown: [] };
    expect(Object.keys(filterForApi(filters))).toHaveLength(LIST_FILTERS.length);
  });

  test("keeps what was not judged where spam is hidden", () => {
    expect(filterForApi(readFilters(parametersOf("spam=hide")))).toEqual({ spam: ["false", "none"] });
    expect(filterForApi(readFilters(parametersOf("spam=only")))).toEqual({ spam: ["true"] });
  });

  test("excludes the day after the last", () => {
    const filters = readFilters(parametersOf("platform=news"));
    expect(queryForApi(filters, { from: "2026-11-01", to: "2026-11-26" })).toEqual({
      platform: ["news"],
      start_date: "2026-11-01",
      end_date: "2026-11-27",
    });
  });
});

test("unusual days are looked for among platforms only", () => {
  const isJudgedAt = (text: string): boolean => isJudged(readFilters(parametersOf(text)));
  expect(isJudgedAt("platform=news&from=2026-11-01&sort=engagement")).toBe(true);
  expect(isJudgedAt("")).toBe(true);
  for (const text of ["polarity=negative", "spam=hide", "q=x", "topic=a&platform=news"]) {
    expect(isJudgedAt(text)).toBe(false);
  }
});
