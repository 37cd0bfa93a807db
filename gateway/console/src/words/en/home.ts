import { count, number } from "../numbers.js";
import { quoted } from "../quoted.js";

/** The home screen. */
export const homeWords = {
  title: "Home",
  analyzeText: "Analyze a text",
  text: "A text",
  textPlaceholder: "Paste a comment, a review, a posting …",
  sample: "Or try a sample",
  samples: {
    review: "I love the new museum in Lisbon! The rooms are bright, but the queue at the entrance made me furious.",
    complaint: "Third visit to the workshop, and the brakes of my Kestrel still squeal. I want my money back.",
    wish: "I wish the city would open the library on Sundays again. Could we ask Mayor Jane Roe for it?",
    spanish: "El concierto en Madrid fue increíble, aunque las entradas eran carísimas.",
  },
  sampleNames: { review: "a review", complaint: "a complaint", wish: "a wish", spanish: "Spanish" },
  chooseSample: "Choose a sample",
  analyze: "Analyze",
  analyzeFiles: "Analyze files",
  filesHelp: "Pictures, sound and video: faces, objects, logos, words, what is said in them.",
  chooseFiles: "Choose files",
  startInsight: "Start an insight",
  insightHelp: "A search that keeps collecting and analyzing postings.",
  wordsToLookFor: "Words to look for",
  wordsPlaceholder: "kestrel OR #ev",
  next: "Next: check and start",
  platforms: (ready: number, missing: number) =>
    missing === 0
      ? `${count(ready, "platform")} ready.`
      : `${count(ready, "platform")} ready, ${number(missing)} ${missing === 1 ? "needs" : "need"} credentials.`,
  lookAtDemo: "Look at the demo insight",
  demoHelp: "The demonstration has collected some invented weeks: numbers, an unusual day, postings.",
  since: (when: string) => `Since your last visit, ${when}`,
  firstVisit: "Now",
  newPostings: (total: number) => count(total, "new posting"),
  newOf: (total: number) => `+${number(total)}`,
  unusualDays: (days: number) => count(days, "unusual day"),
  inTrouble: (platforms: number) => `${count(platforms, "platform")} in trouble`,
  nothingNew: "Nothing new.",
  insights: "Insights",
  allInsights: "All insights",
  insightColumns: {
    name: "Insight",
    state: "State",
    days: "14 days",
    postings: "Postings",
    newOnes: "New",
    platforms: "Platforms",
  },
  daysOf: (name: string, days: readonly (number | null)[]) =>
    `${quoted(name)}: postings by day, oldest first: ${days.map((posts) => posts ?? "not collected").join(", ")}`,
  platformCount: (platforms: number) => count(platforms, "platform"),
  trouble: (platform: string, state: string) => `${platform}: ${state}`,
  unusual: (day: string, seen: number, usual: number) => `${day}: ${number(seen)}, usual ${number(usual)}`,
  moreUnusual: (days: number) => `and ${number(days)} more`,
  running: "Running",
  analysisRuns: (name: string, done: number, total: number) =>
    `${quoted(name)}: ${number(done)} of ${number(total)} analyzed`,
  exportRuns: (id: number, done: number, total: number | null) =>
    total === null ? `Export ${id}: starts soon` : `Export ${id}: ${number(done)} of ${number(total)} postings`,
  missing: "Missing on this server",
  toServer: "All about the server",
};
