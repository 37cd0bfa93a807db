import { useLocation } from "preact-iso/router";
import { useEffect, useRef } from "preact/hooks";
import { unsaved } from "../data/unsaved.js";
import { words } from "../words/words.js";

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
// Before the router sees the click.
addEventListener("click", askBeforeLeaving, { capture: true });

function askBeforeLeaving(event: Event): void {
  if (unsaved.size === 0 || !(event instanceof MouseEvent)) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.download !== "") return;
  const isSamePath = link.origin === location.origin && link.pathname === location.pathname;
  if (isSamePath || confirm(words.frame.unsaved)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** Asks before the page is left, as long as the component is shown and `isUnsaved`. */
export function useUnsaved(isUnsaved: boolean): void {
  const key = useRef({});
  useEffect(() => {
    const { current } = key;
    if (!isUnsaved) return undefined;
    unsaved.add(current);
    return () => void unsaved.delete(current);
  }, [isUnsaved]);
}

/** The parameters of the address, and how to change some of them. */
export interface AddressParameters {
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** The same address with other parameters; undefined removes one. */
  readonly hrefWith: (changes: Readonly<Record<string, string | undefined>>) => string;
  readonly go: (href: string, replace?: boolean) => void;
}

/** The address is the state: what a screen shows can be read from it. */
export function useAddress(): AddressParameters {
  const { url, path, route } = useLocation();
  const { searchParams: parameters } = new URL(url, location.origin);
  return { path, parameters, hrefWith: (changes) => withParameters(path, parameters, changes), go: route };
}

/** A path with parameters, of which some are changed; undefined removes one. */
export function withParameters(
  path: string,
  parameters: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): string {
  const changed = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") changed.delete(name);
    else changed.set(name, value);
  }
  // Commas and colons need no escapes in a query, and addresses are read by people.
  const text = changed.toString().replaceAll("%2C", ",").replaceAll("%3A", ":");
  return text === "" ? path : `${path}?${text}`;
}
