import { describe, expect, it } from "vitest";
import { entriesOf, nameFor, parameterOf, prefixOf } from "./entry-parameters.js";

describe("a parameter for each entry of a map", () => {
  const names = ["limit", "metadata.KEY"];

  it("is known by its prefix and any key", () => {
    expect(names.map(prefixOf)).toEqual([undefined, "metadata."]);
    const known = ["metadata.a", "metadata.a.b", "metadata. ", "metadata.KEY"];
    expect(known.map((name) => nameFor(name, names))).toEqual(known.map(() => "metadata.KEY"));
    const others = ["metadata.", "metadata", "metadata[a]", "limit.a", "Metadata.a"];
    expect(others.map((name) => nameFor(name, names))).toEqual(others.map(() => undefined));
  });

  it("gives an entry, whatever its key", () => {
    const parameters = new URLSearchParams("limit=1&metadata.a.b=x%3D1&metadata.__proto__=p&metadata.=no&metadata=no");
    expect(Object.entries(entriesOf(parameters, "metadata.") ?? {})).toEqual([
      ["a.b", "x=1"],
      ["__proto__", "p"],
    ]);
    expect(entriesOf(new URLSearchParams("limit=1&metadata.=x"), "metadata.")).toBeUndefined();
  });

  it("is named in errors as it was sent", () => {
    expect(parameterOf("metadata.", '["a.\\"b"]')).toBe('metadata.a."b');
    expect(parameterOf("metadata.", "")).toBe("metadata");
  });
});
