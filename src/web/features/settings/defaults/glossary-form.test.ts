import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readGlossaryText, toGlossaryText } from "./glossary-form.ts";

const word = fc.stringMatching(/^[\p{L}\p{N}'&+.-]{1,12}( [\p{L}\p{N}'&+.-]{1,12}){0,2}$/u);

it("reads what it writes", () => {
  const translations = fc.dictionary(fc.constantFrom("de", "pt-BR", "zh-Hant", "ar"), word);
  fc.assert(
    fc.property(
      fc.array(fc.record({ term: word, translations }, { noNullPrototype: true }), { maxLength: 9 }),
      (terms) => {
        expect(readGlossaryText(toGlossaryText(terms))).toEqual({
          terms: terms.map((one) => ({ ...one, translations: { ...one.translations } })),
          problem: null,
        });
      },
    ),
  );
});

it("accepts blank lines, missing spaces and any case of tags", () => {
  expect(readGlossaryText("\n Clipmill \r\nFlash sale=DE:Blitzangebot;pt-br : Oferta\n").terms).toEqual([
    { term: "Clipmill", translations: {} },
    { term: "Flash sale", translations: { de: "Blitzangebot", "pt-BR": "Oferta" } },
  ]);
});

it.each([
  ["Clipmill\nSale = german: X", "Line 2: Use language tags such as de, pt-BR or zh-Hant"],
  ["Sale = de", "Line 1: Enter the translation after de:"],
  ["= de: X", "Line 1: Enter a term before the equals sign"],
  ["x".repeat(101), "Line 1: Terms can have at most 100 characters"],
  ["x\n".repeat(201), "At most 200 terms"],
])("explains %j", (text, problem) => {
  expect(readGlossaryText(text).problem).toBe(problem);
});
