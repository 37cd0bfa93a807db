import { expect, it } from "vitest";
import { readFileList } from "./api.js";
import { readGdeltTime } from "./posting.js";

const MD5 = "0123456789abcdef0123456789ABCDEF";
const LIST = [
  `52.gkg.csv.zip`,
  `1234 ${MD5} http://data.gdeltproject.org/gdeltv2/20261122120000.export.CSV.zip`,
  `2345 ${MD5} http://data.gdeltproject.org/gdeltv2/20261122120000.mentions.CSV.zip`,
  `3456 ${MD5} http://elsewhere.example/gdeltv2/20261122120000.gkg.csv.zip`,
  `4567 ${MD5} http://data.gdeltproject.org/gdeltv2/20261122121500.translation.gkg.csv.zip`,
  `5678 short http://data.gdeltproject.org/gdeltv2/20261122123000.gkg.csv.zip`,
  `6789 ${MD5} http://data.gdeltproject.org/gdeltv2/20261399123000.gkg.csv.zip`,
  "",
].join("\r\n");

it("a list names the files of its kind, with size and checksum, and other lines are left out", () => {
  expect(readFileList(LIST, "english")).toEqual([
    { at: Date.UTC(2026, 10, 22, 12), size: 3456, md5: MD5.toLowerCase(), name: "20261122120000.gkg.csv.zip" },
  ]);
  expect(readFileList(LIST, "translated").map(({ name }) => name)).toEqual(["20261122121500.translation.gkg.csv.zip"]);
});

it.each(["", "20261122", "20261122240000", "20260230000000", "2026112212000x"])("%j is no time", (digits) => {
  expect(readGdeltTime(digits)).toBeUndefined();
});
