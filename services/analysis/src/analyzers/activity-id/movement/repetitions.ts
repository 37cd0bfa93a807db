/** A body's state at a moment: one extreme of an exercise, the other, or in between. */
export interface State {
  atMs: number;
  extreme: "first" | "second" | undefined;
}

/** How often someone went from the first extreme to the second and back, and when. */
export interface Repetitions {
  count: number;
  fromMs: number;
  toMs: number;
}

/**
 * The longest series of repetitions. States in between count for neither extreme, so trembling at a threshold is not a
 * repetition; a series ends when nothing changes for `pauseMaxMs`.
 */
export const repetitionsOf = (states: readonly State[], pauseMaxMs: number): Repetitions | undefined => {
  const changes = changesOf(states);
  const rows: State[][] = [];
  for (const change of changes) {
    const row = rows.at(-1);
    if (row && change.atMs - row.at(-1)!.atMs <= pauseMaxMs) row.push(change);
    else rows.push([change]);
  }
  const [longest] = rows.sort((a, b) => b.length - a.length);
  if (!longest) return undefined;
  return { count: Math.floor((longest.length - 1) / 2), fromMs: longest[0]!.atMs, toMs: longest.at(-1)!.atMs };
};

/** The moments at which the extreme changes. */
const changesOf = (states: readonly State[]): State[] => {
  const changes: State[] = [];
  for (const state of states) {
    if (state.extreme !== undefined && state.extreme !== changes.at(-1)?.extreme) changes.push(state);
  }
  return changes;
};
