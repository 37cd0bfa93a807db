const ends = new Set<() => void>();

/** Has `end` called when this process exits or is told to, so that a run that is broken off leaves no server behind. */
export function endWithUs(end: () => void): void {
  if (ends.size === 0) {
    process.once("exit", endAll);
    process.once("SIGTERM", () => {
      endAll();
      process.kill(process.pid, "SIGTERM"); // nobody listens any more, so this ends it
    });
  }
  ends.add(end);
}

function endAll(): void {
  for (const end of ends) end();
}
