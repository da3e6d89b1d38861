import { describe, expect, it } from "vitest";
import { cleanTranslation, judgeTranslation, type Original, termsIn } from "./judge-translation.ts";

const ROW = 10;
const original = (text: string, differences: Partial<Original> = {}): Original => ({
  ...{ text, width: 8, terms: [] },
  ...differences,
});
const faultOf = (of: Original, text: string, width = 8) => judgeTranslation(of, text, width, ROW).fault;

describe("the glossary's terms in a text", () => {
  const glossary = [
    { term: "Clipmill", translations: {} },
    { term: "flash sale", translations: { pt: "oferta relâmpago", "pt-PT": "venda flash", de: "Blitzangebot" } },
    { term: "Go", translations: {} },
    { term: "最高", translations: { en: "the best" } },
  ];
  it.each([
    ["CLIPMILL's Flash Sale!", "pt-BR", ["Clipmill", "oferta relâmpago"]],
    ["flash sale", "pt-PT", ["venda flash"]],
    ["flash sale", "ja", ["flash sale"]],
    ["Going to flash sales at Clipmills", "de", []],
    ["Let’s go.", "de", ["Go"]],
    ["今日は最高です", "en", ["the best"]],
    ["Ergo go", "de", ["Go"]],
  ])("of %j in %s are %j", (text, language, wanted) => {
    expect(termsIn(text, glossary, language).map(({ as }) => as)).toEqual(wanted);
  });
});

describe("a translation", () => {
  it("loses extra spaces and lines", () => {
    expect(cleanTranslation("  Ein \n Text\u00A0hier ", "A text here")).toBe("Ein Text hier");
    expect(cleanTranslation("Eins\r\n\n zwei ", "One\ntwo")).toBe("Eins\nzwei");
  });

  it.each<[string, Original, string, string | null]>([
    ["is empty", original("Hello"), "", "missing"],
    ["lacks a term", original("Hi", { terms: [{ term: "Sale", as: "Angebot" }] }), "Hallo", 'must contain "Angebot"'],
    ["has it in capitals", original("Hi", { terms: [{ term: "Sale", as: "Angebot" }] }), "ANGEBOT", null],
    ["cannot be drawn", original("Hi"), "བཀྲ་ hi", "cannot be drawn: avoid བ ཀ ྲ ་"],
    ["has only what the original lacks, too", original("ᚠ rune"), "ᚠ Rune", null],
    ["lost its highlight", original("Big *sale*"), "Viel Rabatt", "keep the asterisks around the same words"],
    ["kept its highlight", original("Big *sale*"), "Viel *Rabatt*", null],
    ["is longer than any caption", original("Hi"), "x".repeat(2_001), "too long: use at most 2000 characters"],
  ])("that %s", (_, of, text, fault) => {
    expect(faultOf(of, text)).toBe(fault);
  });

  it.each([
    ["a short text may fill its row", 2, 10, null],
    ["a text may be 1.3 times as wide", 18, 23.4, null],
    ["more is too long, unless it fits the original's rows", 18, 24, "too long: use at most 9 characters"],
    ["two rows stay two rows", 11, 20, null],
  ])("%s", (_, before, after, fault) => {
    const judged = judgeTranslation(original("x", { width: before }), "abcdefghij", after, ROW);
    expect(judged).toMatchObject({ fault, isUsable: true });
  });
});
