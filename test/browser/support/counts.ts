import type { Page } from "playwright-core";

/** The number in a text such as "1,182 postings". */
export function numberIn(text: string | null): number {
  return Number(/[\d,]+/.exec(text ?? "")?.[0].replaceAll(",", ""));
}

/** How many postings a screen says that there are. */
export async function countOf(page: Page): Promise<number> {
  const total = page.getByText(/^[\d,]+ postings?$/).first();
  await total.waitFor();
  return numberIn(await total.textContent());
}
