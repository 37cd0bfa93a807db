import fc from "fast-check";
import { expect, it } from "vitest";
import { clean } from "./letters.js";
import { createGuesser, joinReadings } from "./guess.js";
import { LANGUAGE_MODEL_FOLDER, readLanguageModel } from "./language-model.js";

const { read, guess } = createGuesser(readLanguageModel(LANGUAGE_MODEL_FOLDER));

it("guesses from two parts what it guesses from the whole", () => {
  const words = fc.array(
    fc.oneof(fc.constantFrom("the", "sooo", "niiiice", "día", "это"), fc.string({ unit: "binary" })),
  );
  const part = words.map((several) => clean(`${several.join(" ")} `));
  fc.assert(
    fc.property(part, part, (first, second) => {
      expect(guess(joinReadings(read(first), read(second)))).toEqual(guess(read(first + second)));
    }),
  );
});
