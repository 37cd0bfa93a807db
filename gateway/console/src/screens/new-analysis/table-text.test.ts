import { describe, expect, it } from "vitest";
import { longestColumn, readRows, readTable } from "./table-text.js";

describe("readTable", () => {
  it("finds the separator by rows of equal length", () => {
    expect(readTable("id;text\n1;Hello, you\n2;Bye")).toMatchObject({ separator: ";", columnCount: 2 });
    expect(readTable("id\ttext, long\n1\tHello")?.separator).toBe("\t");
    expect(readTable('id,text\n1,"Hello, you"\n')?.rows).toEqual([
      ["id", "text"],
      ["1", "Hello, you"],
    ]);
  });

  it("reads what a spreadsheet says of itself, and its byte order mark", () => {
    expect(readTable("\uFEFFsep=|\r\na|b\r\n1|2")?.rows).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
    expect(readTable("\uFEFFa;b\n1;2")?.rows[0]).toEqual(["a", "b"]);
  });

  it("takes no prose for a table", () => {
    expect(readTable("I came, I saw, I won.\nAll right.")).toBeUndefined();
    expect(readTable("one line, only")).toBeUndefined();
    expect(readTable("")).toBeUndefined();
  });
});

describe("readRows", () => {
  it("reads quotes, line ends within them, and empty cells", () => {
    expect(readRows('a,"b ""c""\nd",\r\n,e,', ",")).toEqual([
      ["a", 'b "c"\nd', ""],
      ["", "e", ""],
    ]);
  });

  it("takes a quote that nothing closes as it is", () => {
    expect(readRows('"a,b\nc,d', ",")).toEqual([
      ['"a', "b"],
      ["c", "d"],
    ]);
  });

  it("stops after so many rows", () => {
    expect(readRows("a\nb\nc", ",", 2)).toEqual([["a"], ["b"]]);
  });
});

it("guesses the column of texts", () => {
  const table = readTable("id,text,tag\n1,This is longer,x\n2,This too,y");
  expect(table && longestColumn(table)).toBe(1);
});
