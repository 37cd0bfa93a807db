/** A place that keeps texts, such as `localStorage`; a browser may forbid it, and then nothing is kept. */
export interface Kept {
  get(name: string): string | undefined;
  set(name: string, value: string | undefined): void;
}

/** Settings of this browser. */
export const browserKept: Kept = keptIn(() => localStorage);
/** What lasts as long as the tab. */
export const tabKept: Kept = keptIn(() => sessionStorage);

function keptIn(storage: () => Storage): Kept {
  return {
    get(name) {
      try {
        return storage().getItem(name) ?? undefined;
      } catch {
        return undefined;
      }
    },
    set(name, value) {
      try {
        if (value === undefined) storage().removeItem(name);
        else storage().setItem(name, value);
      } catch {
        // Forbidden or full: the setting holds until the page is left.
      }
    },
  };
}
