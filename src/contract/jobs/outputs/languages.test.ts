import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JOB_DEFAULTS } from "../../job-settings/setting-values.ts";
import {
  captionLanguageOf,
  choiceOf,
  filesOfVideo,
  formatOfFile,
  languageOfFile,
  looksOf,
  subtitleLanguageOf,
} from "../video-settings.ts";
import { assignOutputs } from "./assignment.ts";
import {
  canonicalTag,
  canonicalTags,
  isSameLanguage,
  nameOfLanguage,
  scriptOfLanguage,
  splitTags,
} from "./languages.ts";

describe("a language tag", () => {
  it.each([
    ["de", "de"],
    [" PT-br ", "pt-BR"],
    ["zh-hant-tw", "zh-Hant-TW"],
    ["iw", "he"],
    ["sr-latn", "sr-Latn"],
    ["es-419", "es-419"],
    ["fil", "fil"],
    ["", null],
    ["d", null],
    ["german", null],
    ["de_DE", null],
    ["de-", null],
    ["deutsch-DE", null],
    ["de, fr", null],
    ["x-private", null],
  ])("%j is %j", (text, tag) => {
    expect(canonicalTag(text)).toBe(tag);
  });

  it("is listed once in its canonical form", () => {
    expect(canonicalTags(["de", "DE", "iw", "he", "nonsense", "pt-br"])).toEqual(["de", "he", "pt-BR"]);
    expect(splitTags(" de, ja\npt-BR;  zh ")).toEqual(["de", "ja", "pt-BR", "zh"]);
  });

  it("has an English name and a script", () => {
    expect(["pt-BR", "zh-Hant", "qaa"].map(nameOfLanguage)).toEqual([
      "Brazilian Portuguese",
      "Traditional Chinese",
      "qaa",
    ]);
    expect(["ar", "sr-Latn", "zh-TW", "ja", "qaa"].map(scriptOfLanguage)).toEqual([
      "Arab",
      "Latn",
      "Hant",
      "Jpan",
      null,
    ]);
  });
});

it.each([
  ["en", "en-US", true],
  ["zh", "zh-Hans", true],
  ["zh", "zh-Hant", false],
  ["sr", "sr-Latn", false],
  ["de", "fr", false],
  [null, "de", false],
])("speech in %j needs no translation into %j: %j", (spoken, tag, isSame) => {
  expect(isSameLanguage(spoken, tag)).toBe(isSame);
});

it.each([
  { languages: ["de", "fr"], subtitle_languages: [], captions: ["de", "fr"], subtitles: [null, null], looks: [2, 1] },
  { languages: [], subtitle_languages: ["de", "fr"], captions: [null, null], subtitles: ["de", "fr"], looks: [2, 2] },
  {
    ...{ languages: ["de", "fr"], subtitle_languages: ["fr", "en"] },
    ...{ captions: ["de", "fr", null], subtitles: [null, "fr", "en"], looks: [3, 3] },
  },
  { languages: [], subtitle_languages: [], captions: [null], subtitles: [null], looks: [1, 1] },
])("a file has captions and subtitles in its language: %j", ({ captions, subtitles, looks, ...languages }) => {
  const settings = { ...JOB_DEFAULTS, ...languages, subtitles_enabled: true };
  const files = [...Array(filesOfVideo(settings)).keys()];
  expect(files.map((variant) => captionLanguageOf(settings, variant))).toEqual(captions);
  expect(files.map((variant) => subtitleLanguageOf(settings, variant))).toEqual(subtitles);
  expect([looksOf(settings, true), looksOf(settings, false)]).toEqual(looks);
  // Without subtitles, their languages have no effect.
  const off = { ...settings, subtitles_enabled: false };
  expect(filesOfVideo(off)).toBe(Math.max(1, languages.languages.length));
});

it("makes each variant once per language and format, and no two files of a variant are alike", () => {
  const languages = fc.uniqueArray(fc.constantFrom("de", "ja", "ar", "th"));
  const formats = fc.uniqueArray(fc.constantFrom("9:16" as const, "1:1" as const, "16:9" as const));
  const variants = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(languages, formats, variants, (languages, formats, variants_per_video) => {
      const settings = { ...JOB_DEFAULTS, languages, formats, variants_per_video };
      const counts = { languages: Math.max(1, languages.length), formats: Math.max(1, formats.length) };
      const outputs = assignOutputs({
        ...{ durationSeconds: 5, variants: variants_per_video, captions: 3, tracks: 0, segmentation: null },
        ...counts,
      });
      expect(outputs.map(({ variant }) => variant)).toEqual([...Array(filesOfVideo(settings)).keys()]);
      const facts = outputs.map(({ variant, captionIndex }) => {
        expect(captionIndex).toBe(choiceOf(settings, variant) % 3);
        return `${choiceOf(settings, variant)} ${languageOfFile(settings, variant)} ${formatOfFile(settings, variant)}`;
      });
      expect(new Set(facts).size).toBe(variants_per_video * counts.languages * counts.formats);
    }),
  );
});
