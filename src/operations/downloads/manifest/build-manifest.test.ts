import { parse } from "csv-parse/sync";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { ShapeName } from "#contract/job-settings/setting-kinds.ts";
import type { JobSettings, SettingName } from "#contract/job-settings/job-settings.ts";
import {
  choicesOf,
  type ChoiceName,
  JOB_DEFAULTS,
  SETTING_NAMES,
  settingOf,
  settingsWhere,
} from "#contract/job-settings/setting-values.ts";
import { createJobSchema } from "#contract/jobs/create-job.ts";
import { withLinksOfRows } from "#contract/jobs/rows.ts";
import { MANIFEST_COLUMNS, manifestToRequest } from "#contract/manifest/manifest.ts";
import { manifestColumn, passedColumn } from "#contract/manifest/pass-columns.ts";
import { restoreCell } from "#contract/table/cell-protection.ts";
import { buildManifest, type ManifestJob, manifestCsv, type PassedLine } from "./build-manifest.ts";

const TIMES = { created_at: "2026-11-22T10:00:00.000Z", updated_at: "2026-11-22T11:00:00.000Z" };
const text = (maxLength: number) => fc.string({ unit: "grapheme", minLength: 1, maxLength });
const link = fc.uuid().map((id) => `https://drive.google.com/file/d/${id}/view`);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 });

/** Any value of the setting. */
function valueOf(name: SettingName): fc.Arbitrary<unknown> {
  const row = settingOf(name);
  const isLink = /links|videos/.test(name);
  switch (row.kind) {
    case "flag":
      return fc.boolean();
    case "choice": {
      const value = fc.constantFrom<unknown>(...choicesOf(name as ChoiceName));
      return row.default === null ? optional(value) : value;
    }
    case "number":
      return row.isWhole ? fc.integer({ min: row.least, max: row.most }) : decimal(row.least, row.most);
    case "optionalNumber":
      return optional(decimal(row.least, row.most));
    case "gain":
    case "share":
      return decimal(row.kind === "share" ? (row.least ?? 0) : 0, 1);
    case "color":
      return fc.constantFrom("#000000", "#FFCC00", "#0a1b2c");
    case "link":
      return optional(link);
    case "text":
    case "requiredText":
      return row.default === null ? optional(text(30)) : text(30);
    case "list":
      if (row.of === "language") return fc.uniqueArray(fc.constantFrom("de", "pt-BR", "zh-Hant"));
      return fc.array(isLink ? link : text(30), { maxLength: 3 });
    case "requiredList":
      return fc.array(isLink ? link : text(30), { maxLength: 3 });
    case "id":
      return optional(fc.uuid());
    case "ids":
      return fc.uniqueArray(fc.uuid(), { maxLength: 3 });
    case "shape":
      return shapeOf(row.shape);
  }
}

/** A job has rows or slots. */
function shapeOf(shape: ShapeName): fc.Arbitrary<unknown> {
  if (shape === "rows") return fc.array(rowOf(), { maxLength: 3 });
  return fc.constant(shape === "combine" ? "each" : []);
}

function rowOf() {
  const names = settingsWhere((row) => !row.isOfWholeJob);
  const settings = fc.record(Object.fromEntries(names.map((name) => [name, valueOf(name)])), { requiredKeys: [] });
  const pass = fc.dictionary(text(10), text(20), { maxKeys: 3 });
  return fc.record({ link, settings, pass, name: text(20).filter(isSeen) }, { requiredKeys: ["link"] });
}

const isSeen = (value: string) => value.trim() !== "";
const decimal = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });

it("has a request with the same settings and rows, whatever they are", () => {
  const settings = fc.record(Object.fromEntries(SETTING_NAMES.map((name) => [name, valueOf(name)])));
  fc.assert(
    fc.property(settings, (values) => {
      const job = createJobSchema.parse(withLinksOfRows(values)) as JobSettings;
      const manifest = buildManifest({ ...job, id: "1", ...TIMES }, []);
      const request = manifestToRequest(JSON.parse(JSON.stringify(manifest)));
      const again = createJobSchema.parse(withLinksOfRows(request)) as JobSettings;
      expect(again).toEqual(withoutSets(job));
    }),
    { numRuns: 150 },
  );
});

/** A job contains the captions and links of its sets. */
function withoutSets(job: JobSettings): JobSettings {
  const rows = job.rows.map(({ settings, ...row }) => {
    if (!settings) return row;
    const { caption_set_id: _captions, audio_set_id: _tracks, ...own } = settings;
    return { ...row, settings: own };
  });
  return { ...job, caption_set_id: null, audio_set_id: null, rows };
}

it("has no signed link, and names those that it shortened", () => {
  const signed = "https://cdn.example.com/a.mp4?v=1&token=secret";
  const job: ManifestJob = {
    ...JOB_DEFAULTS,
    id: "1",
    ...TIMES,
    custom_audio_links: [signed],
    intro_link: signed,
    exclude: [[signed, "Body 1"]],
    rows: [{ link: signed, settings: { custom_audio_links: [signed], outro_link: signed } }],
  };
  const manifest = buildManifest(job, []);
  expect(JSON.stringify(manifest)).not.toContain("secret");
  expect(manifest.shortened_links).toEqual(["https://cdn.example.com/a.mp4?v=1"]);
});

it.each([
  [null, "This is not the manifest.json of a job."],
  [{ manifest_version: 2, request: {} }, "This manifest is from a newer version of Clipmill."],
  [
    { manifest_version: 1, request: { end_card: "logo" } },
    'This manifest has the setting "end_card", which this version of Clipmill does not support.',
  ],
])("rejects %j", (manifest, message) => {
  expect(() => manifestToRequest(manifest)).toThrow(message);
});

it("can be read from CSV with every cell and column as it was", () => {
  const cell = fc.oneof(
    text(20),
    fc.constantFrom("=1+1", "'=1", "-5", "@a", "\tb", 'a,"b"\n\r\nc', "مرحبا", "👩‍👩‍👧", "a\rb", "\n"),
  );
  const column = fc.oneof(text(8), fc.constantFrom("output", "Source", "row.source", "=cmd", "sha256 ", "valueOf"));
  const lines = fc.array(fc.record({ caption: fc.option(cell), pass: fc.dictionary(column, cell, { maxKeys: 4 }) }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(lines, (made) => {
      const csv = manifestCsv(made.map((line, i) => lineOf(i + 1, line)));
      expect(csv.startsWith("\uFEFFoutput,source,row,")).toBe(true);
      const [header, ...rows] = parse(csv, { bom: true, record_delimiter: "\r\n" }).map((record: string[]) =>
        record.map(restoreCell),
      );
      expect(header!.slice(0, MANIFEST_COLUMNS.length)).toEqual(MANIFEST_COLUMNS);
      const passed = header!.slice(MANIFEST_COLUMNS.length).map((name) => passedColumn(name) ?? name);
      const read = rows.map((cells) => ({
        caption: cells[5],
        pass: Object.fromEntries(
          passed.map((name, i) => [name, cells[MANIFEST_COLUMNS.length + i]]).filter(([, value]) => value !== ""),
        ),
      }));
      expect(read).toEqual(made.map(({ caption, pass }) => ({ caption: caption ?? "", pass: { ...pass } })));
    }),
  );
});

it("quotes a cell with a line break of any system, which would end the line in a spreadsheet", () => {
  const csv = manifestCsv(["a\nb", "a\rb", "a\r\nb"].map((caption) => lineOf(1, { caption, pass: {} })));
  expect(csv.match(/,"a(\n|\r|\r\n)b",/g)).toHaveLength(3);
});

it("gives columns with the manifest's own names another one, and finds theirs again", () => {
  expect(["sku", "Source", "row.sku"].map(manifestColumn)).toEqual(["sku", "row.Source", "row.row.sku"]);
  expect(["row.Source", "row.row.sku", "source"].map(passedColumn)).toEqual(["Source", "row.sku", null]);
});

it("has what a row passes on once where it would fill gigabytes", () => {
  const pass = { note: "x".repeat(20 * 1024 ** 2) };
  const csv = manifestCsv([1, 1, 2].map((row) => lineOf(row, { caption: null, pass })));
  const notes = parse<{ note: string }>(csv, { bom: true, columns: true }).map(({ note }) => note.length);
  expect(notes).toEqual([pass.note.length, 0, pass.note.length]);
});

function lineOf(row: number, { caption, pass }: { caption: string | null; pass: Record<string, string> }): PassedLine {
  const unknown = { start_seconds: null, end_seconds: null, duration_seconds: 1.5, width: 2, height: 2, size_bytes: 3 };
  const names = {
    output: "a.mp4",
    source: "b",
    track: null,
    sha256: null,
    link: null,
    clicks: null,
    cover: null,
    subtitles: null,
    language: null,
  };
  return { line: { ...names, row, variant: 1, segment: 1, caption, ...unknown }, pass };
}
