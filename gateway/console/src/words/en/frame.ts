import { count } from "../numbers.js";
import { quoted } from "../quoted.js";

/** The frame around every screen, and what all screens say. */
export const frame = {
  product: "Hourglass",
  skip: "Skip to the content",
  navigation: "Main",
  notices: "Notices",
  home: "Home",
  insights: "Insights",
  analyses: "Analyses",
  exports: "Exports",
  settings: "Settings",
  documentation: "Interface",
  search: "Search",
  menu: "Menu",
  close: "Close",
  cancel: "Cancel",
  undo: "Undo",
  retry: "Try again",
  copy: "Copy",
  copied: "Copied",
  copyByHand: "Press Ctrl C to copy",
  remove: "Remove",
  more: "More",
  shortcuts: "Keys",
  signOut: "Sign out",
  signedInAs: (who: string, company: string) => `${quoted(who)} · ${quoted(company)}`,
  pageTitle: (screen: string) => `${quoted(screen)} – Hourglass`,
  demo: "Everything here is invented: the demonstration makes up authors and postings.",
  offline:
    "No connection to the server. What is on the screen stays readable; it is read again as soon as the connection is back.",
  waiting: (seconds: number, status: number) =>
    status === 429
      ? `Too many requests in a minute. Trying again in ${count(seconds, "second")}.`
      : `The server is busy. Trying again in ${count(seconds, "second")}.`,
  updated: "The server was updated. Reload when it suits you.",
  reload: "Reload",
  noSuchPage: "There is no such page",
  noSuchPageHelp: "The address may have been cut or mistyped. Search for what you wanted, or begin at the home screen.",
  toHome: "Go to the home screen",
  broken: "This part of the page failed",
  brokenHelp:
    "The rest still works. Try it again; if it fails again, tell the people who run this server what you did.",
  /** Of what has been read before and is read again. */
  updating: "updating",
  loading: "Loading",
  slow: "This takes longer than usual.",
  canceled: "Canceled: it was not read.",
  newerThere: (entries: number) => `${count(entries, "new entry", "new entries")} – show`,
  showMore: "Show more",
  notLoaded: "Could not be loaded",
  unknownValue: "not known to this version of the console",
  optional: "optional",
  unsaved: "Leave this page? What you typed is not saved.",
  tableOf: (title: string) => `Table: ${quoted(title)}`,
  table: "Table",
  chart: "Chart",
  csv: "CSV",
  csvOf: (title: string) => `Download as CSV: ${quoted(title)}`,
  none: "none",
  share: "Share",
  count: "Postings",
};

/** What went wrong, by what the server answered. */
export const problems = {
  gone: "It was deleted, or it belongs to another company.",
  forbidden: "You may not do that",
  noProduct: (product: string) => `Your company does not have ${product}. Ask the people who run this server.`,
  requestId: (id: string) => `Request ${id}`,
  noAnswer: "The server did not answer",
  noAnswerHelp:
    "Check the connection. What is shown here is read again by itself; what you sent, send once more: it is carried out once.",
  failed: "The server failed",
  refused: "The server refused this",
  fields: "Mistakes in what was sent:",
};

/** Keys and the palette. */
export const keyWords = {
  title: "Keys of this screen",
  everywhere: "Everywhere",
  here: "On this screen",
  palette: "Search screens, records and actions",
  paletteEmpty: "Nothing matches. Try fewer letters.",
  palettePlaceholder: "Where to, or what to do?",
  help: "Show all keys",
  search: "Focus the field for words",
  toNew: "New",
  to: (screen: string) => `Go to ${screen}`,
  singleKeys: "Single keys act",
  singleKeysHelp: "Turn this off if you use speech input or often type by mistake.",
  then: "then",
  screens: "Screens",
  actions: "Actions",
  records: "Records",
};

/** Signing in, at first and after a session has ended. */
export const signInWords = {
  title: "Sign in",
  email: "E-mail",
  password: "Password",
  company: "Company",
  stay: "Keep me signed in in this tab",
  stayHelp: "Also after the page is loaded again. Do not choose this on a computer that others use.",
  submit: "Sign in",
  wrong: "The e-mail or the password is wrong.",
  tooMany: (seconds: number) => `Too many attempts. Try again in ${count(seconds, "second")}.`,
  howTo: "No account yet? The people who run this server make one:",
  howToCommand: "npm run admin -- user add --email you@example.com",
  expired: "Your session has ended",
  expiredHelp: "Sign in again to continue where you were. Nothing that you typed is lost.",
  otherUser: "Sign in as somebody else",
  version: (version: string) => `Version ${version}`,
};
