import { number, shortNumber } from "../numbers.js";

/** Charts, on every screen that has some. */
export const chartWords = {
  chart: "chart",
  notLoaded: "The chart could not be loaded. The table has the same numbers; reload the page to try again.",
  legend: "Series",
  keysRead: "In a chart: read its steps, show their postings",
  keysSpan: "In a chart: choose several steps",
  hint: "A click shows the postings of a step, dragging chooses several; with the keyboard ← → and Enter.",
  onlyThese: "Look at these only",
  axisNumber: (value: number) => shortNumber(value),
  showMore: (entries: number) => `Show all ${number(entries)}`,
  showFewer: "Show fewer",
};
