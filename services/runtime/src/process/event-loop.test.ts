import { expect, it } from "vitest";
import { LoopShare, LoopPace } from "./event-loop.js";

/** A share on a clock that only its work and its rests move. */
function shareOnClock() {
  let time = 1_000_000;
  const rests: number[] = [];
  const share = new LoopShare({
    now: () => time,
    sleep: (ms) => {
      rests.push(ms);
      time += ms;
      return Promise.resolve();
    },
  });
  const work = (ms: number) =>
    share.run(() => {
      time += ms;
      return Promise.resolve();
    });
  return { share, rests, work, pass: (ms: number) => (time += ms) };
}

it("rests after each piece of work for as long as it took, while requests come", async () => {
  const { share, rests, work } = shareOnClock();
  share.noteRequest();
  await work(8);
  await work(3);
  await work(1);
  expect(rests).toEqual([8, 3]);
});

it("counts what passes between two pieces as rest", async () => {
  const { share, rests, work, pass } = shareOnClock();
  share.noteRequest();
  await work(8);
  pass(5);
  await work(8);
  pass(9);
  await work(8);
  expect(rests).toEqual([3]);
});

it("rests for a bounded time after a long piece, also if that failed", async () => {
  const { share, rests, work, pass } = shareOnClock();
  share.noteRequest();
  const failed = share.run(() => {
    pass(700);
    return Promise.reject(new Error("full"));
  });
  await expect(failed).rejects.toThrow("full");
  await work(1);
  expect(rests).toEqual([50]);
});

it("does not rest without requests, nor when the last one was long ago", async () => {
  const { share, rests, work, pass } = shareOnClock();
  await work(8);
  await work(8);
  share.noteRequest();
  pass(1_000);
  await work(8);
  await work(8);
  expect(rests).toEqual([]);
});

it("runs each part of long work in a separate turn of the event loop", async () => {
  let turns = 0;
  const nextTurn = () => {
    turns++;
    return Promise.resolve();
  };
  const long = new LoopPace(nextTurn, 0);
  for (let step = 0; step < 5; step++) await long.step();
  expect(turns).toBe(5);
  const short = new LoopPace(nextTurn, 1e9);
  for (let step = 0; step < 5; step++) await short.step();
  expect(turns).toBe(6);
});

it("lets events in between", async () => {
  let isHandled = false;
  setImmediate(() => (isHandled = true));
  const pace = new LoopPace(undefined, 0);
  await pace.step();
  await pace.step();
  expect(isHandled).toBe(true);
});
