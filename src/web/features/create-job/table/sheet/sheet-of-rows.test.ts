import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { checkSheet, createRowCheck } from "./check-sheet.ts";
import { sheetOfRows } from "./sheet-of-rows.ts";

const LINK = "https://drive.google.com/file/d/clip/view";

function readBack(rows: readonly JobRow[]) {
  const sheet = sheetOfRows(rows);
  return checkSheet(sheet, createRowCheck(sheet, { accepted: SPECIFIED_SOURCES }));
}

test("every row comes back as it was, whatever it gives", () => {
  const text = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }).filter((value) => value === value.trim());
  const word = text.filter((value) => value !== "" && !/[\r\n#]/.test(value));
  const row: fc.Arbitrary<JobRow> = fc.record(
    {
      link: fc.constant(LINK),
      name: word,
      settings: fc.record(
        {
          custom_captions: fc.array(word, { minLength: 1, maxLength: 3 }),
          watermark_text: word,
          format: fc.constantFrom("9:16", "1:1", "source"),
          platform: fc.constant(null),
          caption_color: fc.constant("#ffcc00"),
          start_seconds: fc.integer({ min: 0, max: 50 }),
          end_seconds: fc.integer({ min: 60, max: 90 }),
          music_gain: fc.constantFrom(0, 0.25, 1),
          loop_audio: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
      pass: fc.dictionary(word, word, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    },
    { requiredKeys: ["link"] },
  );
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
      const { rows: found, problems } = readBack(rows);
      expect(problems).toEqual([]);
      expect(found).toEqual(rows.map(withoutEmptySettings));
    }),
    { numRuns: 60 },
  );
});

function withoutEmptySettings({ settings, ...row }: JobRow): JobRow {
  return settings && Object.keys(settings).length > 0 ? { ...row, settings } : row;
}

test("switches that follow from other settings have no column, others do", () => {
  const shown = sheetOfRows([
    { link: LINK, settings: { captions_enabled: true, custom_captions: ["One", "Two"], audio_enabled: false } },
    { link: LINK, settings: { captions_enabled: false, custom_captions: [] } },
  ]);
  expect(shown.columns).toEqual(["link", "caption", "caption_2", "captions_enabled", "audio_enabled"]);
  expect(shown.rows).toEqual([
    [LINK, "One", "Two", "", "no"],
    [LINK, "", "", "no", ""],
  ]);
});

test("a column that is passed on keeps its name beside a setting's", () => {
  const sheet = sheetOfRows([{ link: LINK, pass: { link: "https://shop.example/1", caption: "internal" } }]);
  expect(sheet.columns).toEqual(["link (2)", "caption (2)", "link", "caption"]);
  expect(sheet.fields).toEqual(["link", "caption", "pass", "pass"]);
});
