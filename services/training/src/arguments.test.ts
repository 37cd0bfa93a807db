import { describe, expect, it } from "vitest";
import { readArguments } from "./arguments.js";

describe("readArguments", () => {
  it("takes the data folder from the option, then the environment, then the working directory", () => {
    expect(readArguments(["--data", "a"], { DATASETS_DIR: "b" }).dataDir).toBe("a");
    expect(readArguments([], { DATASETS_DIR: "b" }).dataDir).toBe("b");
    expect(readArguments([], {}).dataDir).toBe("datasets");
  });

  it("takes the analyses from the rest, and refuses options it does not know", () => {
    expect(readArguments(["topic", "intention"], {}).analyses).toEqual(["topic", "intention"]);
    expect(() => readArguments(["--dat", "a"], {})).toThrow();
  });
});
