import { describe, expect, it } from "vitest";
import { Timeline } from "./timeline.js";

interface Item {
  id: string;
  at: number;
}

function timelineOf(count: number): Timeline<Item> {
  const timeline = new Timeline<Item>();
  timeline.add(...Array.from({ length: count }, (_, at) => ({ id: `i${at}`, at })));
  return timeline;
}

function read(timeline: Timeline<Item>, between: () => void = () => undefined): string[] {
  const ids: string[] = [];
  let token: string | undefined;
  do {
    const page = timeline.page({ wants: () => true, limit: 3, token });
    ids.push(...page.items.map(({ id }) => id));
    token = page.nextToken;
    between();
  } while (token !== undefined);
  return ids;
}

describe("a timeline", () => {
  it("gives every item once, newest first", () => {
    expect(read(timelineOf(7))).toEqual(["i6", "i5", "i4", "i3", "i2", "i1", "i0"]);
  });

  it("neither repeats nor leaves out an item when newer ones come between two pages", () => {
    const timeline = timelineOf(7);
    let at = 100;
    expect(read(timeline, () => timeline.add({ id: `n${at}`, at: at++ }))).toHaveLength(7);
  });

  it("continues after an item that was removed", () => {
    const timeline = timelineOf(6);
    expect(read(timeline, () => timeline.remove("i3"))).toEqual(["i5", "i4", "i3", "i2", "i1", "i0"]);
  });

  it("repeats the last item of a page on the next one if so configured", () => {
    const timeline = timelineOf(5);
    timeline.irregular.repeats = true;
    expect(read(timeline)).toEqual(["i4", "i3", "i2", "i2", "i1", "i0"]);
  });

  it("states the same next page again and again if so configured", () => {
    const timeline = timelineOf(5);
    timeline.irregular.loops = true;
    const first = timeline.page({ wants: () => true, limit: 3, token: undefined });
    const second = timeline.page({ wants: () => true, limit: 3, token: first.nextToken });
    expect(second.nextToken).toBe(first.nextToken);
  });
});
