/** The keys that hold an id which a platform gave. */
export const ID_KEYS: readonly string[] = ["social_id", "author_id", "place_id"];

/** How spreadsheets and data frames write a long number whose last digits they have lost. */
const ROUNDED = /^\s*[+-]?\d(?:[.,]\d+)?E\+\d{2,3}\s*$/i;

/** Whether an id is a long number that a program has rounded, such as `1.23457E+18`: many ids look alike then. */
export function isRoundedId(id: string): boolean {
  return ROUNDED.test(id);
}

/** What to do about a rounded id. */
export const GIVE_WHOLE_ID =
  "Give all digits of the id: a spreadsheet has rounded it, as it does with long numbers. Import the column there as text.";

/** What to do about postings that share an id and would overwrite each other. */
export const GIVE_OWN_ID =
  "It has another text or time. Give each posting its own id; spreadsheets round long numbers, so import ids there as text.";
