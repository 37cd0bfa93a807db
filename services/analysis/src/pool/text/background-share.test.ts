import { expect, it } from "vitest";
import { BackgroundShare } from "./background-share.js";

const shareAt = (threads: number) => {
  const clock = { now: 0 };
  return { clock, share: new BackgroundShare(threads, () => clock.now) };
};

it("gives the background all threads while no others come", () => {
  const { share } = shareAt(2);
  expect(share.threadsMax).toBe(2);
  share.noteOthers(1000);
  expect(share.threadsMax).toBe(2);
});

it("leaves a thread free for ten seconds after few texts of others", () => {
  const { share, clock } = shareAt(4);
  share.noteOthers(1);
  expect(share.threadsMax).toBe(3);
  clock.now = 9_999;
  expect(share.threadsMax).toBe(3);
  clock.now = 10_000;
  expect(share.threadsMax).toBe(4);
});

it("takes small batches where others would wait for them, the smallest while others come", () => {
  const { share } = shareAt(2);
  const texts = (busy: number) => share.sizeBeside(busy).texts;
  expect([texts(0), texts(1)]).toEqual([32, 8]);
  share.noteOthers(1);
  expect([texts(0), texts(1)]).toEqual([4, 2]);
});

it("leaves the background the only thread that there is, for a moment at a time", () => {
  const { share } = shareAt(1);
  share.noteOthers(1);
  expect(share.threadsMax).toBe(1);
  expect(share.sizeBeside(0).texts).toBe(2);
});
