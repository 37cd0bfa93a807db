import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type PrintedLine, readPrint, type UnreadPrint } from "@hourglass/analysis/training";
import { type Metric, say, shareMetric } from "../report.js";
import { frameOf } from "./photos.js";

/** A page of services/training/vision/draw_print.py. */
interface Page {
  folder: string;
  file: string;
  script: string;
  turned: boolean;
  lines: { text: string; box: [x: number, y: number, width: number, height: number] }[];
}

/** The pages beside the photos, in their folder `pages`; none if they were not drawn. */
export const drawnPages = (photos: string): Page[] => {
  const folder = join(photos, "pages");
  const list = join(folder, "pages.jsonl");
  if (!existsSync(list)) return [];
  return readFileSync(list, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ ...(JSON.parse(line) as Omit<Page, "folder">), folder }));
};

const READ: ReadonlySet<string> = new Set(["Latin", "Han", "Japanese"]);

/** Lines by what became of them. */
interface Tally {
  all: number;
  /** Told to be in a script that cannot be read. */
  unread: number;
  /** The right script among these. */
  named: number;
  /** Something was read. */
  read: number;
  words: number;
  found: number;
}

/** How lines of each script are read, or told to be in a script that cannot be read. */
export const judgePages = async (pages: readonly Page[]): Promise<Metric[]> => {
  if (pages.length === 0) return [];
  const tallies = new Map<string, Tally>();
  for (const page of pages) {
    const tally = tallies.get(page.script) ?? { all: 0, unread: 0, named: 0, read: 0, words: 0, found: 0 };
    tallies.set(page.script, tally);
    await count(page, tally);
  }
  for (const [script, { all, unread, named, read }] of tallies)
    say(`  ${script}: ${all} lines, ${read} read, ${unread} unreadable, ${named} of them as ${script}`);
  const [able, not] = [true, false].map((wanted) =>
    [...tallies].filter(([script]) => READ.has(script) === wanted).map(([, tally]) => tally),
  ) as [Tally[], Tally[]];
  const latin = tallies.get("Latin");
  const sum = (of: readonly Tally[], key: keyof Tally): number => of.reduce((total, tally) => total + tally[key], 0);
  return [
    ...(latin === undefined ? [] : [shareMetric("words of Latin lines on pages", latin.found, latin.words)]),
    shareMetric("readable lines called unreadable", sum(able, "unread"), sum(able, "all"), { better: "lower" }),
    shareMetric("unreadable lines told", sum(not, "unread"), sum(not, "all")),
    shareMetric("of these with the right script", sum(not, "named"), sum(not, "unread")),
    shareMetric("unreadable lines given as words", sum(not, "read"), sum(not, "all"), { better: "lower" }),
  ];
};

const count = async (page: Page, tally: Tally): Promise<void> => {
  const frame = await frameOf(page.folder, page);
  const { rows, unread } = await readPrint(frame);
  const lines = rows.flat();
  const written = lines.flatMap(({ text }) => text.split(" "));
  for (const line of page.lines) {
    tally.all++;
    for (const word of line.text.split(/\s+/)) {
      tally.words++;
      if (written.includes(word)) tally.found++;
    }
    // A page was turned by up to four degrees after its lines were noted.
    const covers = ({ box }: PrintedLine | UnreadPrint): boolean => isOn(line.box, box, frame, page.turned ? 40 : 4);
    const told = unread.filter(covers);
    if (told.length > 0) tally.unread++;
    if (told.some(({ script }) => script === page.script)) tally.named++;
    if (told.length === 0 && lines.some(covers)) tally.read++;
  }
};

/** Whether the middle of a box that was found lies on a line. */
const isOn = (
  [x, y, width, height]: Page["lines"][number]["box"],
  { left, top, width: across, height: down }: PrintedLine["box"],
  frame: { width: number; height: number },
  slack: number,
): boolean => {
  const [middleX, middleY] = [(left + across / 2) * frame.width, (top + down / 2) * frame.height];
  return middleX > x - slack && middleX < x + width + slack && middleY > y - slack && middleY < y + height + slack;
};
