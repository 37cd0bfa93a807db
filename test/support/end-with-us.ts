const ends = new Set<() => void>();

/** Has `end` called when this process exits, so that a run that is broken off leaves no server behind. */
export function endWithUs(end: () => void): void {
  if (ends.size === 0) process.once("exit", () => ends.forEach((each) => each()));
  ends.add(end);
}
