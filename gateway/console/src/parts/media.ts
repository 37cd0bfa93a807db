import { useEffect, useState } from "preact/hooks";

/** Where there is room for one column only; the same as in the styles. */
export const NARROW = "(max-width: 52rem)";

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = (): void => setHolds(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return holds;
}
