import { count, number } from "../numbers.js";

/** The list of insights, and what all screens of one insight say. */
export const insightWords = {
  title: "Insights",
  one: "Insight",
  tabs: "Parts of this insight",
  overview: "Overview",
  postings: "Postings",
  collection: "Collection",
  pause: "Pause",
  paused: "Paused: nothing is stored until it is resumed.",
  resume: "Resume",
  resumed: "Resumed.",
  export: "Export",
  compare: "Compare",
  more: "More",
  copy: "Copy as a new insight",
  remove: "Delete insight",
  removed: (name: string) => `“${name}” and its postings are being deleted.`,
  trouble: (platforms: number) => count(platforms, "platform in trouble", "platforms in trouble"),
  pausedHelp: "It stores nothing until it is resumed.",
  failed: (reason: string) => `The preview failed: ${reason}`,
  stillAnalyzed: (postings: number) => `${number(postings)} still being analyzed`,
  backToList: "All insights",
};
