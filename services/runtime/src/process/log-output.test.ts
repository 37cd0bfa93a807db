import { closeSync, openSync } from "node:fs";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { droppedLogLines, FileSink, LogOutput, StreamSink } from "./log-output.js";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-01-02T03:04:05Z") }));
afterEach(() => void vi.useRealTimers());

/** A log with a place whose room the test decides. */
function logWith(format?: (line: string) => string) {
  const place = { hasRoom: true, lines: [] as string[] };
  const sink = {
    write: (line: string) => {
      if (place.hasRoom) place.lines.push(line);
      return place.hasRoom;
    },
  };
  const output = new LogOutput({ sink, process: "toys", ...(format && { format }) });
  return { place, output };
}

it("drops lines for which there is no room, and says once how many, before the next line", () => {
  const { place, output } = logWith();
  const before = droppedLogLines();
  output.write("first\n");
  place.hasRoom = false;
  output.write("second\n");
  output.write("third\n");
  place.hasRoom = true;
  output.write("fourth\n");
  output.write("fifth\n");
  const [first, note = "", ...rest] = place.lines;
  expect([first, ...rest]).toEqual(["first\n", "fourth\n", "fifth\n"]);
  expect(JSON.parse(note)).toEqual({
    level: "warn",
    time: "2026-01-02T03:04:05.000Z",
    process: "toys",
    dropped: 2,
    since: "2026-01-02T03:04:05.000Z",
    msg: "the log had no room, its lines were dropped",
  });
  expect(droppedLogLines() - before).toBe(2);
});

it("says so also if nothing more is logged", () => {
  const { place, output } = logWith((line) => `pretty ${line}`);
  place.hasRoom = false;
  output.write("first\n");
  vi.advanceTimersByTime(3000);
  expect(place.lines).toEqual([]);
  place.hasRoom = true;
  vi.advanceTimersByTime(3000);
  expect(place.lines).toEqual([expect.stringMatching(/^pretty {.*"dropped":1,/)]);
});

it.skipIf(process.platform !== "linux")("has no room in a file on a full disk", () => {
  const fd = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(fd));
  const sink = new FileSink(fd);
  expect([sink.write("first\n"), sink.write("second\n")]).toEqual([false, false]);
});

it("has no room in a pipe once a megabyte waits for its reader, or if that is gone", () => {
  const stream = { writable: true, writableLength: 0, write: vi.fn() };
  const sink = new StreamSink(stream);
  expect(sink.write("first\n")).toBe(true);
  stream.writableLength = 1_048_576;
  expect(sink.write("second\n")).toBe(false);
  stream.writableLength = 0;
  expect(sink.write("third\n")).toBe(true);
  stream.writable = false;
  expect(sink.write("fourth\n")).toBe(false);
  expect(stream.write.mock.calls).toEqual([["first\n"], ["third\n"]]);
});
