/** Paths in a square of 24; strokes only. */
const PATHS = {
  hourglass: "M6 3h12M6 21h12M7 3v3c0 3 2 4.500 5 6 3-1.500 5-3 5-6V3M7 21v-3c0-3 2-4.500 5-6 3 1.500 5 3 5 6v3",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  insights: "M4 20V10M10 20V4M16 20v-8M22 20H2",
  analyses: "M4 5h16M4 10h10M4 15h16M4 20h7",
  exports: "M12 3v12M7 10l5 5 5-5M4 20h16",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 4v6M8 14v6",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  close: "M5 5l14 14M19 5L5 19",
  menu: "M4 6h16M4 12h16M4 18h16",
  plus: "M12 5v14M5 12h14",
  check: "M4 12l6 6L20 6",
  alert: "M12 4L2 20h20zM12 10v5M12 17.500v.5",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  down: "M5 9l7 7 7-7",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  pause: "M8 5v14M16 5v14",
  play: "M7 5l12 7-12 7z",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 4-6 8-6s8 2 8 6",
  keyboard: "M3 6h18v12H3zM7 10h.01M12 10h.01M17 10h.01M8 14h8",
  key: "M8 12a4 4 0 1 0 0 .01M12 12h9M18 12v4",
  file: "M6 3h8l5 5v13H6zM14 3v5h5",
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside words, which say the same: it is hidden from screen readers. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={name === "more" ? 3 : 1.8}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
