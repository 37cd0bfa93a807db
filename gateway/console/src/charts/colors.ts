import { useEffect, useState } from "preact/hooks";

/** Colors of a canvas by the names of their tokens, as the page shows them now. */
export type Colors<T extends string> = Readonly<Record<T, string>>;

/**
 * The colors of tokens, read once the page shows them, and again when the theme changes: a canvas, unlike everything else on
 * the page, does not follow by itself.
 */
export function useColors<T extends string>(tokens: readonly T[]): Colors<T> | undefined {
  const [colors, setColors] = useState<Colors<T>>();
  useEffect(() => {
    const update = (): void => setColors(read(tokens));
    update();
    const theme = new MutationObserver(update);
    theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    const media = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query));
    for (const each of media) each.addEventListener("change", update);
    return () => {
      theme.disconnect();
      for (const each of media) each.removeEventListener("change", update);
    };
  }, []);
  return colors;
}

/** A token holds an expression for both themes; an element that uses it has the color. */
function read<T extends string>(tokens: readonly T[]): Colors<T> {
  const probe = document.createElement("span");
  probe.hidden = true;
  // Where the system decides about colors, all of them would be that of its texts.
  probe.style.setProperty("forced-color-adjust", "none");
  document.body.append(probe);
  const entries = tokens.map((token) => {
    probe.style.color = `var(--${token})`;
    return [token, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(entries) as Colors<T>;
}
