/** Ways to write a moment that a file may state to use; the separators of a day may also be dots or dashes. */
export const DATE_FORMATS = ["iso", "d/m/yyyy", "m/d/yyyy", "unix", "unix_ms", "excel"] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

/** The format of that name, which may also be written such as `DD.MM.YYYY`; undefined for another. */
export function dateFormatNamed(name: unknown): DateFormat | undefined {
  if (typeof name !== "string") return undefined;
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/(?<=[dmy])[-.](?=[dmy])/g, "/")
    .replace(/\bdd?\b/, "d")
    .replace(/\bmm?\b/, "m")
    .replace(/\byy(?:yy)?\b/, "yyyy");
  return plain === "yyyy/m/d" ? "iso" : DATE_FORMATS.find((format) => format === plain);
}
