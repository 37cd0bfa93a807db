import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { browserKept } from "../data/stored.js";

/** A key, or two after each other: `n`, `?`, `g h`, `Escape`, `ArrowLeft`, `Shift+ArrowLeft`. */
export type Keys = string;

export interface Shortcut {
  readonly keys: Keys;
  /** What it does. */
  readonly label: string;
  readonly run: () => void;
  /** Not shown under `?`, because another one says it. */
  readonly isSilent?: boolean;
}

interface Registered {
  readonly where: "everywhere" | "here";
  readonly shortcuts: () => readonly Shortcut[];
}

const SETTING = "hourglass.single-keys";
/** How long the first of two keys waits for the second. In milliseconds. */
const SECOND_KEY_MS = 1_200;

const registered = new Set<Registered>();
/** Whether keys act without modifiers. */
export const singleKeys = signal(browserKept.get(SETTING) !== "off");

/** Turns single keys on or off in this browser. */
export function setSingleKeys(isOn: boolean): void {
  singleKeys.value = isOn;
  browserKept.set(SETTING, isOn ? undefined : "off");
}

/** The keys of a component, as long as it is shown. */
export function useKeys(shortcuts: readonly Shortcut[], where: "everywhere" | "here" = "here"): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // What can be seen can be used: a key acts as soon as its button is there.
  useLayoutEffect(() => {
    const entry: Registered = { where, shortcuts: () => current.current };
    registered.add(entry);
    return () => void registered.delete(entry);
  }, [where]);
}

/** All keys that act now, by where they come from. */
export function shortcutsNow(): Readonly<Record<"everywhere" | "here", readonly Shortcut[]>> {
  const of = (where: "everywhere" | "here"): Shortcut[] =>
    [...registered]
      .filter((entry) => entry.where === where)
      .flatMap(({ shortcuts }) => [...shortcuts()])
      .filter(({ isSilent }) => isSilent !== true);
  return { everywhere: of("everywhere"), here: of("here") };
}

let first: { readonly key: string; readonly at: number } | undefined;

/** Lets keys act. Single keys act only outside of fields, without modifiers, and while no dialog is open. */
export function listenToKeys(target: EventTarget = document): void {
  target.addEventListener("keydown", (event) => {
    if (event instanceof KeyboardEvent) handle(event);
  });
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isBusyPlace(event)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || !singleKeys.value) return;
  const key = keyOf(event);
  const before = first !== undefined && performance.now() - first.at < SECOND_KEY_MS ? first.key : undefined;
  first = undefined;
  // Later ones are further inside.
  const all = [...registered].reverse().flatMap(({ shortcuts }) => [...shortcuts()]);
  const found =
    (before === undefined ? undefined : all.find(({ keys }) => keys === `${before} ${key}`)) ??
    all.find(({ keys }) => keys === key);
  if (found !== undefined) {
    event.preventDefault();
    found.run();
  } else if (all.some(({ keys }) => keys.startsWith(`${key} `))) {
    first = { key, at: performance.now() };
  }
}

function keyOf({ key, shiftKey }: KeyboardEvent): string {
  return shiftKey && key.length > 1 ? `Shift+${key}` : key;
}

const FIELDS = new Set(["INPUT", "TEXTAREA", "SELECT"]);
/** Keys that a button, a link or a player uses itself. */
const OWN_KEYS = new Set(["Enter", " "]);

function isBusyPlace({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog[open], [popover]:popover-open") !== null) return true;
  if (FIELDS.has(target.tagName) || target.isContentEditable) return !isBox(target);
  return OWN_KEYS.has(key) && target.closest("a, button, summary, video, audio, [role=option]") !== null;
}

/** A box to tick takes no letters. */
function isBox(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === "checkbox" || target.type === "radio");
}
