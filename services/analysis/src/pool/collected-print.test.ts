import { describe, expect, it } from "vitest";
import { createFrame } from "../media/frame.js";
import type { PrintedLine, UnreadPrint } from "../types.js";
import { CollectedPrint } from "./collected-print.js";

const box = { left: 0.1, top: 0.2, width: 0.3, height: 0.05 };
const row = (...texts: string[]): PrintedLine[] => texts.map((text) => ({ text, prob: 0.9, box }));
const unread = (script: string, prob: number): UnreadPrint => ({ script, prob, box });
const frame = (atMs: number) => createFrame({ width: 1, height: 1, rgb: new Uint8Array(3), atMs });

describe("CollectedPrint", () => {
  it("keeps every line of a picture, equal ones too", () => {
    const collected = new CollectedPrint();
    collected.addStill({ rows: [row("Total"), row("45.00"), row("45.00")], unread: [unread("Thai", 0.95)] });
    expect(collected.reading()).toMatchObject({
      text: "Total\n45.00\n45.00",
      unread: [{ script: "Thai", box: [0.1, 0.2, 0.3, 0.05, 0.95] }],
    });
  });

  it("tells a line that stays in a film once, and of each unreadable script the surest", () => {
    const collected = new CollectedPrint();
    collected.addFrame(frame(0), { rows: [row("Good morning")], unread: [unread("Thai", 0.93)] });
    collected.addFrame(frame(1500), { rows: [row("GOOD MORNING!")], unread: [unread("Thai", 0.99)] });
    collected.addFrame(frame(3000), { rows: [], unread: [unread("Thai", 0.97)] });
    const reading = collected.reading();
    expect(reading.text).toBe("Good morning");
    expect(reading.unread).toEqual([{ script: "Thai", box: [0.1, 0.2, 0.3, 0.05, 0.99], at: 1.5 }]);
  });
});
