import type { MulterError } from "multer";

const REMEDIES: Partial<Record<MulterError["code"], string>> = {
  LIMIT_PART_COUNT: "Send a form with fewer parts.",
  LIMIT_FIELD_KEY: "Give the parts of the form shorter names.",
  LIMIT_FIELD_VALUE: "Leave out this field: its value is too long.",
  LIMIT_FIELD_COUNT: "Send a form with fewer fields.",
};

/** The remedy for a form that the parser refuses, as a complete sentence. */
export function remedyFor({ code }: MulterError): string {
  return REMEDIES[code] ?? "Send a form that holds the file and nothing else.";
}
