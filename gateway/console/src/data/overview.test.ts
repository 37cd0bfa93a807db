import { describe, expect, test } from "vitest";
import {
  completeDays,
  countOf,
  gapsOf,
  hourglassSeries,
  reasonsIn,
  roseMost,
  spikeKey,
  spikeOf,
  stateOf,
} from "./overview.js";
import type { Spike, Summary } from "./summary.js";

const NOW = Date.parse("2026-11-26T16:30:00Z");
const day = (text: string, completeness: "complete" | "thin" | "unknown", postings: number) => ({
  start: `${text}T00:00:00.000Z`,
  end: new Date(Date.parse(text) + 86_400_000).toISOString(),
  completeness,
  postings,
});
type Span = Summary["coverage"]["platforms"][number]["spans"][number];
const span = (start: string, end: string, completeness: Span["completeness"], ...reasons: Span["reasons"]): Span => ({
  start: `${start}:00:00.000Z`,
  end: `${end}:00:00.000Z`,
  completeness,
  reasons,
});

describe("the state of a step", () => {
  test("is never zero where nothing is known", () => {
    expect(stateOf(day("2026-11-20", "unknown", 0), NOW)).toBe("missing");
    expect(stateOf(day("2026-11-20", "complete", 0), NOW)).toBe("complete");
  });

  test("is partly collected where postings are there but not all", () => {
    expect(stateOf(day("2026-11-20", "unknown", 3), NOW)).toBe("partly");
    expect(stateOf(day("2026-11-20", "thin", 0), NOW)).toBe("partly");
  });

  test("of today is unfinished, whatever was collected", () => {
    expect(stateOf(day("2026-11-26", "complete", 7), NOW)).toBe("unfinished");
    expect(stateOf(day("2026-11-26", "unknown", 0), NOW)).toBe("unfinished");
  });

  test("of tomorrow is to come", () => {
    expect(stateOf(day("2026-11-27", "unknown", 0), NOW)).toBe("future");
  });
});

describe("gaps", () => {
  const coverage = {
    platforms: [
      { platform: "news" as const, spans: [span("2026-11-01T00", "2026-11-03T00", "unknown", "before_window")] },
      { platform: "reddit" as const, spans: [span("2026-11-01T00", "2026-11-01T06", "unknown", "outage")] },
    ],
  };

  test("are runs of steps, with the longest reason first", () => {
    const series = [
      day("2026-11-01", "unknown", 0),
      day("2026-11-02", "unknown", 0),
      day("2026-11-03", "complete", 0),
      day("2026-11-04", "unknown", 0),
    ] as Summary["series"];
    expect(gapsOf({ series, coverage }, NOW)).toEqual([
      { first: 0, last: 1, reasons: ["before_window", "outage"] },
      { first: 3, last: 3, reasons: [] },
    ]);
  });

  test("have the reasons of their own time only", () => {
    const from = Date.parse("2026-11-02");
    expect(reasonsIn(coverage, from, from + 86_400_000)).toEqual(["before_window"]);
  });
});

describe("complete days", () => {
  test("are those that every platform collected completely", () => {
    const coverage = {
      platforms: [
        { platform: "news" as const, spans: [span("2026-11-01T00", "2026-11-11T00", "complete")] },
        {
          platform: "reddit" as const,
          spans: [
            span("2026-11-01T00", "2026-11-03T06", "complete"),
            span("2026-11-03T06", "2026-11-03T07", "thin", "outage"),
            span("2026-11-03T07", "2026-11-11T00", "complete"),
          ],
        },
      ],
    };
    expect(completeDays(coverage, NOW)).toBe(9);
    // Days before the search became another one do not count, nor does the day of the change.
    expect(completeDays(coverage, NOW, Date.parse("2026-11-08T16:30:00Z"))).toBe(2);
  });

  test("are not counted by a platform of which nothing was ever collected", () => {
    const coverage = {
      platforms: [
        { platform: "news" as const, spans: [span("2026-11-01T00", "2026-11-05T12", "complete")] },
        { platform: "reddit" as const, spans: [span("2026-11-01T00", "2026-11-05T12", "unknown", "not_configured")] },
      ],
    };
    expect(completeDays(coverage, NOW)).toBe(4);
    expect(completeDays({ platforms: [] }, NOW)).toBe(0);
  });
});

test("emotions over time have a number for every step", () => {
  const step = (value: string, count: number) => ({ sentiments: { values: [{ value, count }], other: 0 } });
  const [introspection] = hourglassSeries([step("joy", 3), step("sadness", 2), step("envy", 1)]);
  expect(introspection).toEqual({
    dimension: "introspection",
    strengths: [
      [0, 2, 0],
      [0, 0, 0],
      [0, 0, 0],
      [3, 0, 0],
    ],
  });
});

test("a count is zero where no posting has the value", () => {
  const breakdown = {
    values: [
      { value: null, count: 4 },
      { value: "en", count: 2 },
    ],
    other: 1,
  };
  expect([countOf(breakdown, null), countOf(breakdown, "en"), countOf(breakdown, "de")]).toEqual([4, 2, 0]);
});

describe("a spike", () => {
  const spike = (start: string, platform: Spike["platform"], metric: Spike["metric"]): Spike => ({
    start,
    end: start,
    platform,
    metric,
    expected: 1,
    seen: 2,
    score: 5,
    topics: [{ value: "recall", count: 3, share: 0.6, usual_share: 0.1 }],
    hashtags: [{ value: "ev", count: 3, share: 0.9, usual_share: 0.8 }],
    authors: [],
    domains: [],
    examined: 2,
    reposts: 0,
    repeated_texts: 0,
    examples: [],
  });
  const spikes = [
    spike("2026-11-24T00:00:00.000Z", null, "postings"),
    spike("2026-11-24T00:00:00.000Z", "news", "postings"),
    spike("2026-11-24T00:00:00.000Z", null, "negative_share"),
    spike("2026-11-24T14:00:00.000Z", null, "postings"),
  ];

  test("is named by its time and, where needed, platform and kind", () => {
    expect(spikes.map(spikeKey)).toEqual([
      "2026-11-24",
      "2026-11-24,news",
      "2026-11-24,,negative_share",
      "2026-11-24T14",
    ]);
  });

  test("is found by its name", () => {
    for (const each of spikes) expect(spikeOf(spikes, spikeKey(each))).toBe(each);
    expect(spikeOf(spikes, "2026-11-25")).toBeUndefined();
    expect(spikeOf(spikes, null)).toBeUndefined();
  });

  test("names what rose most, not what is most frequent", () => {
    expect(roseMost(spike("2026-11-24T00:00:00.000Z", null, "postings"))).toEqual({
      kind: "topic",
      value: "recall",
      share: 0.6,
      usual: 0.1,
    });
  });
});
