import { useEffect, useState } from "preact/hooks";

/** Below this width, screens have one column. The same as in the styles. */
const NARROW = "(max-width: 52rem)";

/** Whether the page has one column. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const update = (): void => setNarrow(media.matches);
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, []);
  return isNarrow;
}
