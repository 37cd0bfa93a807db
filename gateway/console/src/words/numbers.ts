const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });
const precisePercent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** A number with separators: 1,204. */
export function number(value: number): string {
  return whole.format(value);
}

/** A short number for narrow places: 1.2K. */
export function shortNumber(value: number): string {
  return Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value);
}

/** A number with its noun: "1 posting", "1,204 postings". */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** A part of one: 31 %. What is there but small is "under 1 %", never zero. */
export function share(value: number): string {
  if (value > 0 && value < 0.005) return "under 1%";
  return percent.format(value);
}

/** A part of one with one digit after the point, for tables. */
export function preciseShare(value: number): string {
  return precisePercent.format(value);
}

/** A probability with two digits, as models state them: .93; one is never reached by rounding. */
export function probability(value: number): string {
  const text = Math.min(value, value < 1 ? 0.99 : 1).toFixed(2);
  return text.startsWith("0") ? text.slice(1) : text;
}

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];

/** A size: 1.2 MB. In units of 1,000 bytes. */
export function bytes(value: number): string {
  const unit = value < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** unit;
  return `${scaled.toLocaleString("en", { maximumFractionDigits: unit === 0 || scaled >= 100 ? 0 : 1 })} ${UNITS[unit] ?? ""}`;
}
