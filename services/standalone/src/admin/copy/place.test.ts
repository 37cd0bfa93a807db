import path from "node:path";
import { describe, expect, it } from "vitest";
import { configuredPlace, mustBeApart, namedPlace, nameOf } from "./place.js";

describe("a place to copy to", () => {
  it("is a database or a folder", () => {
    expect(namedPlace("mongodb://host/db?tls=true")).toEqual({ url: "mongodb://host/db?tls=true" });
    expect(namedPlace("mongodb+srv://host")).toEqual({ url: "mongodb+srv://host" });
    expect(namedPlace("copies/a")).toEqual({ folder: path.resolve("copies/a") });
    for (const wrong of ["", "postgres://host/db", "http://host", "MONGODB://host"]) {
      expect(() => namedPlace(wrong)).toThrow(/^Give --to the URL of a MongoDB database/);
    }
  });

  it("is not inside of the source", () => {
    const source = configuredPlace({ dataDir: "/srv/data", mongodbUrl: undefined });
    for (const folder of ["/srv/data", "/srv/data/copy"]) {
      expect(() => mustBeApart(source, { folder })).toThrow(/outside of the data folder \/srv\/data\.$/);
    }
    expect(() => mustBeApart(source, { folder: "/srv/data2" })).not.toThrow();
    const database = configuredPlace({ dataDir: "/srv/data", mongodbUrl: "mongodb://host" });
    expect(() => mustBeApart(database, { folder: "/srv/data" })).not.toThrow();
  });

  it.each([
    ["mongodb://user:p%40ss@a,b:1/db?authSource=admin", "mongodb://a,b:1/db"],
    ["mongodb://user:p@ss/word@host/db", "mongodb://host/db"],
    ["mongodb+srv://host", "mongodb+srv://host"],
  ])("is named without its password: %s", (url, name) => {
    expect(nameOf({ url })).toBe(name);
  });
});
