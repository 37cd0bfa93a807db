import { useEffect, useState } from "preact/hooks";

/** Whether an element has come into view; it stays so. */
export function useVisible(element: { readonly current: Element | null }): boolean {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null || isVisible) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setVisible(true);
      },
      { rootMargin: "100px" },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isVisible]);
  return isVisible;
}
