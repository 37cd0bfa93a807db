import { signal } from "@preact/signals";
import { browserKept } from "./stored.js";

export type Theme = "system" | "light" | "dark";

const SETTING = "hourglass.theme";

/** Light or dark; by default as the reader's system. */
export const theme = signal<Theme>(read());

function read(): Theme {
  const kept = browserKept.get(SETTING);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Changes the theme, in this browser. */
export function setTheme(value: Theme): void {
  theme.value = value;
  browserKept.set(SETTING, value === "system" ? undefined : value);
  applyTheme();
}

/** Shows the page in the chosen theme. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset["theme"];
  else dataset["theme"] = theme.value;
}
