import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { reachable } from "../data/api.js";
import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/states.js";
import { words } from "../words/words.js";

/** Pauses between tries, as long as the server cannot be reached. In milliseconds. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** A screen, or a part of one, whose code is loaded when it is opened. Without a connection it is tried again for half a minute. */
export function loadedLater<P>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(() => tried(load));
}

/** A component whose code is loaded now; without a connection it is tried again for half a minute. */
export async function tried<P>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  for (const pause of PAUSES_MS) {
    try {
      const screen = await load();
      reachable.value = true;
      return screen;
    } catch {
      reachable.value = false;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  // After an update of the server, the files of the version before are gone.
  return NotLoaded;
}

function NotLoaded() {
  return (
    <EmptyState title={words.frame.notLoaded}>
      <p>{words.frame.updated}</p>
      <Button onClick={() => location.reload()}>{words.frame.reload}</Button>
    </EmptyState>
  );
}
