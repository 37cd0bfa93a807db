import { aboutData, type DataPage, dataPageOf, type Levels, type Page } from "./column-pages.js";
import { eachOf, type Numbers, withoutNumbers } from "./numbers.js";
import { UneditableError } from "./uneditable-error.js";

/** How much is left of a data page. */
interface Left {
  readonly entries: number;
  readonly rows: number;
  readonly nulls: number;
}

/** A page that loses no row, as it is. */
export interface CopiedPage extends Left {
  readonly copied: Page;
}

/** What is left of a page that has been taken apart. */
export interface EditedPage extends Left {
  readonly copied?: undefined;
  readonly data: DataPage;
  /** Numbers of the values to leave out, in order. */
  readonly droppedValues: readonly number[];
  /** Undefined where the greatest level is 0. */
  readonly repetition: Numbers | undefined;
  readonly definition: Numbers | undefined;
}

/** Pages of a column chunk, and the rows that it loses, by their numbers in order. */
export interface ShortenedPages {
  readonly pages: readonly Page[];
  readonly levels: Levels;
  readonly dropped: readonly number[];
}

/** What is left of each page. Those that lose no row are not taken apart; those that lose all are not among them. */
export function keptPages(shortened: ShortenedPages): (CopiedPage | EditedPage)[] {
  const { pages, levels } = shortened;
  const dropped = droppedByPage(shortened);
  const kept = pages.map((page, index) => {
    const rows = dropped[index] ?? [];
    return rows.length === 0 ? copyOf(page) : keptOf(dataPageOf(page, levels), levels, rows);
  });
  return kept.filter(({ rows }) => rows > 0);
}

/** What is left of each page, all taken apart; those that lose all rows are not among them. */
export function editedPages(shortened: ShortenedPages): EditedPage[] {
  const { pages, levels } = shortened;
  const dropped = droppedByPage(shortened);
  const kept = pages.map((page, index) => keptOf(dataPageOf(page, levels), levels, dropped[index] ?? []));
  return kept.filter(({ rows }) => rows > 0);
}

function copyOf(page: Page): CopiedPage {
  const { num_values: entries, num_rows: rows, num_nulls: nulls } = aboutData(page);
  return { copied: page, entries, rows, nulls };
}

/** The dropped rows of each page, by their number in it. */
function droppedByPage({ pages, dropped }: ShortenedPages): number[][] {
  let firstRow = 0;
  let next = 0;
  const byPage = pages.map((page) => {
    const end = firstRow + aboutData(page).num_rows;
    const rows: number[] = [];
    for (let row = dropped[next]; row !== undefined && row < end; row = dropped[++next]) rows.push(row - firstRow);
    firstRow = end;
    return rows;
  });
  if (next !== dropped.length) throw new UneditableError("A Parquet file has columns of different lengths.");
  return byPage;
}

function keptOf(data: DataPage, levels: Levels, droppedRows: readonly number[]): EditedPage {
  const { repetition, definition, rows, nulls } = data;
  const dropped = repetition === undefined ? droppedRows : entriesOf(repetition, droppedRows);
  const droppedValues = valuesOf(data, levels.definition, dropped);
  return {
    data,
    droppedValues,
    entries: data.entries - dropped.length,
    rows: rows - droppedRows.length,
    nulls: nulls - (dropped.length - droppedValues.length),
    repetition: repetition && withoutNumbers(repetition, dropped),
    definition: definition && withoutNumbers(definition, dropped),
  };
}

/** The entries of rows: each begins where nothing is repeated. */
function entriesOf(numbers: Numbers, rows: readonly number[]): readonly number[] {
  if (!(numbers instanceof Uint32Array) && numbers.value === 0) return rows;
  const repetition = eachOf(numbers);
  const entries: number[] = [];
  let row = -1;
  let next = 0;
  for (let entry = 0; entry < repetition.length; entry++) {
    if (repetition[entry] === 0) {
      if (rows[next] === row) next++;
      row++;
    }
    if (rows[next] === row) entries.push(entry);
  }
  return entries;
}

/** The values of entries, some of which have none. */
function valuesOf(
  { definition: levels, nulls, entries: all }: DataPage,
  greatest: number,
  entries: readonly number[],
): readonly number[] {
  if (levels === undefined || nulls === 0) return entries;
  if (nulls === all) return [];
  const definition = eachOf(levels);
  const values: number[] = [];
  let value = 0;
  let before = 0;
  for (const entry of entries) {
    for (; before < entry; before++) if (definition[before] === greatest) value++;
    if (definition[entry] === greatest) values.push(value);
  }
  return values;
}
