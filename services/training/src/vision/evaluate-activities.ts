import { ACTIVITIES, createActivityId } from "@hourglass/analysis/training";
import { type Evaluation, say, shareMetric } from "../report.js";
import { activityPhotosFor, frameOf } from "./photos.js";

/** How often an activity was expected, found where expected, found at all, and found where it is true. */
interface Tally {
  expected: number;
  met: number;
  found: number;
  right: number;
}

/** How many of the activities of photos that nothing was tuned on are found, and how many of those found are true. */
export const evaluateActivities = async (folder: string): Promise<Evaluation> => {
  const analyzer = await createActivityId();
  const byActivity = new Map<string, Tally>();
  const tallyOf = (activity: string): Tally => {
    const tally = byActivity.get(activity) ?? { expected: 0, met: 0, found: 0, right: 0 };
    byActivity.set(activity, tally);
    return tally;
  };
  for (const photo of activityPhotosFor("judged", folder)) {
    const { activities, perhaps = [] } = photo;
    const found = (await analyzer.look(await frameOf(folder, photo), NO_GALLERY)).map(({ value }) => value);
    for (const activity of activities) {
      const tally = tallyOf(activity);
      tally.expected++;
      if (found.includes(activity)) tally.met++;
    }
    for (const activity of found) {
      const tally = tallyOf(activity);
      tally.found++;
      if (activities.includes(activity) || perhaps.includes(activity)) tally.right++;
      else say(`  ${photo.file}: nobody is ${activity}`);
    }
  }
  for (const [activity, { expected, met, found, right }] of [...byActivity].sort(([a], [b]) => (a < b ? -1 : 1))) {
    say(`  ${activity}: ${met} of ${expected} found, ${right} of ${found} right`);
  }
  const all = sumOf([...byActivity.values()]);
  const known = sumOf([...byActivity].filter(([activity]) => KNOWN.has(activity)).map(([, tally]) => tally));
  return {
    analysis: "activity-id",
    method: "photos that nothing was tuned on",
    metrics: [
      shareMetric("activities that are true", all.right, all.found, { stated: STATED.precision }),
      shareMetric("activities found, of those it knows in pictures", known.met, known.expected, {
        stated: STATED.recall,
      }),
      shareMetric("activities found, of all", all.met, all.expected, { stated: STATED.recallOfAll }),
    ],
  };
};

/** What docs/models-notes.md states. */
const STATED = { precision: 0.89, recall: 0.618, recallOfAll: 0.55 };

/** The context of a company without a gallery. */
const NO_GALLERY = { gallery: { faces: [], marks: [] } } as const;

const KNOWN: ReadonlySet<string> = new Set(ACTIVITIES.filter(({ by }) => by === "rules").map(({ label }) => label));

const sumOf = (tallies: readonly Tally[]): Tally =>
  tallies.reduce(
    (sum, { expected, met, found, right }) => ({
      expected: sum.expected + expected,
      met: sum.met + met,
      found: sum.found + found,
      right: sum.right + right,
    }),
    { expected: 0, met: 0, found: 0, right: 0 },
  );
