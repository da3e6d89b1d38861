import { describe, expect, test } from "vitest";
import type { JobSettings } from "../job-settings/job-settings.ts";
import { schemaOf } from "../job-settings/setting-schema.ts";
import { JOB_DEFAULTS, settingOf } from "../job-settings/setting-values.ts";
import { parseCreateJob } from "../jobs/create-job.ts";
import { SPECIFIED_SOURCES } from "../sources/accepted-sources.ts";
import { mapColumns, ROW_SETTING_NAMES, readTable } from "./read-table.ts";
import { readRows } from "./read-rows.ts";
import type { TableField } from "./table.ts";
import { TABLE_TEMPLATE } from "./template.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const IMAGE = "https://clipmill.local/file/d/3f0c8a1e-9b1d-4c52-8a3e-2f1f8d1f7c11";
const SET = "3f0c8a1e-9b1d-4c52-8a3e-2f1f8d1f7c11";

function read(
  text: string,
  { settings, chosen }: { settings?: Partial<JobSettings>; chosen?: [string, TableField][] } = {},
) {
  const table = readTable(text);
  return readRows(table, mapColumns(table.columns, new Map(chosen)), {
    accepted: SPECIFIED_SOURCES,
    ...(settings && { settings }),
  });
}

function readCell(column: string, cell: string) {
  const { rows, problems } = read(`link\t${column}\n${LINK}\t"${cell.replaceAll('"', '""')}"`);
  return problems.length > 0 ? problems.map(({ message }) => message).join() : (rows[0]?.settings ?? rows[0]);
}

test("reads the known columns and passes on the others", () => {
  const text = `\uFEFFLink;Caption;caption 2;Start at;Name;Watermark;sku;note\r\n${LINK};"Hi; you";there;0:07,5;shoes;@me;17;\r\n`;
  expect(read(text)).toEqual({
    rows: [
      {
        link: LINK,
        name: "shoes",
        settings: { custom_captions: ["Hi; you", "there"], start_seconds: 7.5, watermark_text: "@me" },
        pass: { sku: "17" },
      },
    ],
    numbers: [1],
    problems: [],
  });
});

test("names all 20 problems of 1,000 rows by row and column, with a remedy, and keeps the other rows", () => {
  const columns = [
    "link",
    "caption",
    "start",
    "end",
    "format",
    "loop_audio",
    "track",
    "caption_color",
    "variants",
    "name",
  ];
  const good = [LINK, "Hello", "0:01", "0:09", "9:16", "yes", LINK, "#ffcc00", "1", "n"];
  const wrong: [row: number, column: string, cell: string, message: string][] = [
    [3, "link", "https://drive.google.com/drive/folders/x", "This link is a folder, not a video."],
    [40, "link", "", "Add the link of the video"],
    [
      77,
      "link",
      "https://example.com/clip.mp4",
      "Replace this link: not a link to a Google Drive file; other websites",
    ],
    [99, "link", "http://drive.google.com/file/d/a/view", "Replace this link: links must start with https://."],
    [120, "link", "clip 12", "Replace this link: not a link."],
    [170, "caption", "x".repeat(2_001), "Shorten this text to 2,000 characters."],
    [171, "caption", "#REF!", "Correct the formula in the spreadsheet: its result is #REF!."],
    [200, "start", "soon", "Enter a time such as 7.5 or 0:07, in seconds, from 0 to 86,400."],
    [201, "start", "-1", "Enter a time such as"],
    [222, "start", "1,500", "Enter a time such as"],
    [300, "end", "0:75", "Enter a time such as"],
    [301, "end", "0:01", "The part to use must end at least 0.1 seconds after its start."],
    [404, "format", "square", "Enter one of these: Original, 9:16, 4:5, 1:1, 16:9."],
    [500, "loop_audio", "maybe", "Enter yes or no."],
    [555, "track", "https://example.com", "Replace this link: not a Google Drive file or an Instagram"],
    [600, "caption_color", "gold-ish", "Enter a color such as #ffcc00."],
    [700, "variants", "1.5", "Enter a whole number, from 1 to 100."],
    [701, "variants", "101", "Enter a whole number, from 1 to 100."],
    [999, "name", "n".repeat(201), "Shorten this text to 200 characters."],
    [1_000, "format", "9x16", "Enter one of these:"],
  ];
  const records = Array.from({ length: 1_000 }, () => [...good]);
  for (const [row, column, cell] of wrong) records[row - 1]![columns.indexOf(column)] = cell;
  const { rows, numbers, problems } = read(
    [columns, ...records].map((record) => record.map((cell) => `"${cell}"`).join(",")).join("\n"),
  );
  expect(problems.map(({ row, column }) => ({ row, column }))).toEqual(wrong.map(([row, column]) => ({ row, column })));
  for (const [index, [, , , message]] of wrong.entries()) expect(problems[index]!.message).toContain(message);
  expect(rows).toHaveLength(980);
  const skipped = new Set(wrong.map(([row]) => row));
  expect(numbers).toEqual(records.map((_, index) => index + 1).filter((row) => !skipped.has(row)));
});

test("accepts every setting of a row by its wire name and by its label, as the job does", () => {
  const cells: Partial<Record<string, string>> = {
    caption_set_id: SET,
    audio_set_id: SET,
    custom_captions: "one\ntwo",
    custom_audio_links: LINK,
    watermark_image: IMAGE,
    intro_link: LINK,
    outro_link: LINK,
    watermark_text: "@me",
    caption_color: "fc0",
    caption_box_color: "#11223380",
    loudness_lufs: "−14 LUFS",
    ducking_db: "6 dB",
  };
  for (const name of ROW_SETTING_NAMES) {
    const setting = JOB_DEFAULTS[name];
    const kind = typeof setting === "boolean" ? "no" : typeof setting === "number" ? "1" : "off";
    const cell = cells[name] ?? (typeof setting === "string" ? setting : kind);
    const settings = readCell(name, name === "caption_fade" ? "None" : cell) as Record<string, unknown>;
    expect(settings).toHaveProperty(name);
    expect(schemaOf(name).safeParse(settings[name]).success).toBe(true);
  }
  const labeled = ROW_SETTING_NAMES.filter((name) => !/^(?:captions|audio|watermark)_enabled$/.test(name));
  expect(mapColumns(labeled.map((name) => settingOf(name).label.toUpperCase()))).toEqual(labeled);
  // people put texts and links in columns of these names
  expect(mapColumns(["Captions", "Music", "Watermark"])).toEqual(["caption", "track", "watermark"]);
});

describe("cells as people write them", () => {
  test.each<[string, string, Record<string, unknown>]>([
    ["start", "0:07", { start_seconds: 7 }],
    ["start", "1:02.5", { start_seconds: 62.5 }],
    ["start", "1:02:03", { start_seconds: 3_723 }],
    ["start", "7,25", { start_seconds: 7.25 }],
    ["start", "7.5 s", { start_seconds: 7.5 }],
    ["end", "none", { end_seconds: null }],
    ["speed", "1,25", { speed: 1.25 }],
    ["Speed", "1.5x", { speed: 1.5 }],
    ["speed", "0.756 ×", { speed: 0.76 }],
    ["format", "09:16:00", { format: "9:16" }],
    ["format", "4:05", { format: "4:5" }],
    ["fit", "blurred BACKGROUND", { fit: "blur" }],
    ["platform", "TikTok", { platform: "tiktok" }],
    ["platform", "Any", { platform: null }],
    ["caption fade", "200 ms", { caption_fade: 200 }],
    ["Image opacity", "70%", { watermark_opacity: 0.7 }],
    ["caption_y", "0,3", { caption_y: 0.3 }],
    ["loop audio", "TRUE", { loop_audio: true }],
    ["watermark", IMAGE, { watermark_image: IMAGE }],
    ["caption", "'=SUM(A1)", { custom_captions: ["=SUM(A1)"] }],
    ["Caption texts", "one\n\ntwo ", { custom_captions: ["one", "two"] }],
  ])("%s %j", (column, cell, settings) => {
    expect(readCell(column, cell)).toEqual(settings);
  });

  test("adds a missing https:// to a link", () => {
    expect(read("link\ndrive.google.com/file/d/abc/view").rows).toEqual([{ link: LINK }]);
  });
});

describe("columns", () => {
  test("can be mapped to another field, ignored, and shared by captions", () => {
    const text = `Clip;Text;Text;Note;width\n${LINK};a;b;c;d`;
    const chosen: [string, TableField][] = [
      ["Clip", "link"],
      ["Text", "caption"],
      ["Text (2)", "caption"],
      ["Note", "ignore"],
    ];
    expect(read(text, { chosen }).rows).toEqual([
      { link: LINK, settings: { custom_captions: ["a", "b"] }, pass: { width: "d" } },
    ]);
  });

  test("that nobody can use are named once", () => {
    expect(read(`sku,,url,link\n1,x,${LINK},${LINK}\n2,y,${LINK},${LINK}`).problems).toEqual([
      { row: 0, column: "Column 2", message: expect.stringContaining("This column has no name.") as string },
      { row: 0, column: "link", message: expect.stringContaining('The column "url" has the same use.') as string },
    ]);
    expect(read("sku\n1").problems).toEqual([
      { row: 0, column: "", message: expect.stringContaining("No column contains the video links") as string },
    ]);
  });

  test("without a name are the problem of a row whose text was split", () => {
    const text = `link,caption\n${LINK},Light, soft\n${LINK},Fast\n${LINK},New`;
    expect(read(text).problems).toEqual([
      { row: 1, column: "Column 3", message: expect.stringContaining("split at a comma") as string },
    ]);
  });

  test("of a manifest that describe files are ignored", () => {
    const header =
      "output,source,row,variant,segment,caption,track,start_seconds,end_seconds,duration_seconds,width,height,size_bytes,sha256,link,clicks,sku";
    const { rows } = read(`${header}\n1.mp4,${LINK},1,1,1,Hi,,2,9,7,1080,1920,5,ff,https://shop.test/a,7,17`);
    expect(rows).toEqual([
      { link: LINK, settings: { custom_captions: ["Hi"], start_seconds: 2, end_seconds: 9 }, pass: { sku: "17" } },
    ]);
  });
});

describe("rules of several settings", () => {
  test("use the job's settings where the row has none", () => {
    const text = `link,start\n${LINK},20`;
    expect(read(text, { settings: { end_seconds: 10 } }).problems).toMatchObject([{ row: 1, column: "start" }]);
    expect(read(text, { settings: { end_seconds: 30 } }).problems).toEqual([]);
    const captions = `link,captions_enabled\n${LINK},yes`;
    expect(read(captions).problems).toMatchObject([{ row: 1, column: "captions_enabled" }]);
    expect(read(captions, { settings: { custom_captions: ["a"] } }).problems).toEqual([]);
  });

  test("name a setting that two columns give", () => {
    expect(read(`link,watermark,watermark_text\n${LINK},a,b`).problems).toMatchObject([
      { row: 1, column: "watermark_text" },
    ]);
  });
});

describe("links", () => {
  const other = LINK.replace("abc", "def");

  test("are taken out of what surrounds them, also without a header", () => {
    const lines = [`1. ${LINK}`, `"<${LINK}>"`, `Clip - ${LINK}`, `\u200B${LINK}\u200B`];
    const links = { rows: lines.map(() => ({ link: LINK })), problems: [] };
    expect(read(`link\n${lines.join("\n")}`)).toMatchObject(links);
    expect(read(lines.join("\n"))).toMatchObject(links);
  });

  test("are one in each cell of videos, and any number in a cell of tracks", () => {
    const message = "This cell has 2 links. Use one row for each video.";
    for (const between of [" ", "; ", "\n", ""]) {
      const cell = `"${LINK}${between}${other}"`;
      expect(read(`link\n${cell}`).problems).toEqual([{ row: 1, column: "link", message }]);
      expect(read(`link,track\n${LINK},${cell}`).rows).toMatchObject([
        { settings: { custom_audio_links: [LINK, other] } },
      ]);
    }
  });

  test("are rejected with text after them, which is quoted", () => {
    expect(read(`link,track\n${LINK} intro,${LINK} song`).problems).toMatchObject([
      { column: "link", message: 'Replace this link: the text after the link is not part of it: "intro".' },
      { column: "track", message: 'Replace this link: the text after the link is not part of it: "song".' },
    ]);
  });
});

test("names a table without rows", () => {
  expect(read("link,caption\n,").problems).toEqual([
    { row: 0, column: "", message: expect.stringContaining("no rows below its header") as string },
  ]);
});

test("names a table that is larger than a job, and lists at most 10,000 problems", () => {
  expect(read(`link\n${`${LINK}\n`.repeat(10_001)}`).problems).toEqual([
    { row: 0, column: "", message: expect.stringContaining("at most 10,000 videos") as string },
  ]);
  expect(read(`link,a,b,c\n${`${LINK},${`${"x".repeat(1_900)},`.repeat(3)}\n`.repeat(800)}`).problems).toEqual([
    { row: 0, column: "", message: expect.stringContaining("at most 4 MB") as string },
  ]);
  const { problems } = read(`link\n${"x\n".repeat(10_002)}`);
  expect(problems).toHaveLength(10_001);
  expect(problems[0]!.message).toContain("more than 10,000 problems");
});

test("the template is a table that a job accepts", () => {
  const { rows, problems } = read(TABLE_TEMPLATE);
  expect(problems).toEqual([]);
  expect(parseCreateJob({ job_name: "Template", rows }, SPECIFIED_SOURCES)).toMatchObject({ ok: true });
  expect(rows).toHaveLength(2);
});
