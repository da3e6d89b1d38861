/** Mocks the function preflight. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import {
  addFrom,
  DRIVE,
  editAsText,
  expectVideos,
  openJobScreen,
  paste,
  startOf,
  toastOf,
  unexpectedErrors,
  fillVideoLinks,
} from "#tests/support/browser/job-screen.ts";
import { fulfillPreflight } from "#tests/support/browser/preflight.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

let folder: string;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-table-"));
  clipmill = await startInstalledClipmill(path.join(folder, "data"));
  client = await signedInClient(clipmill.url);
  await client.functions.invoke("settings", { body: { queue_paused: true } });
});

test.afterAll(async () => {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

const drive = (id: string) => `${DRIVE}/${id}/view`;
const dialog = (page: Page): Locator => page.getByRole("dialog");
const cell = (page: Page, row: number, column: number): Locator =>
  dialog(page).locator(`[data-row="${row}"] [data-column="${column}"]`);

/** Columns: link, caption, format, start_seconds, sku. Every fiftieth row has a problem. */
function thousandRows(): { csv: string; wrong: { row: number; column: string; right: string }[] } {
  const wrong: { row: number; column: string; right: string }[] = [];
  const lines = Array.from({ length: 1_000 }, (_, index) => {
    const cells = [drive(`clip-${index + 1}`), `Caption ${index + 1}`, "9:16", "0:02", `SKU-${index + 1}`];
    if (index % 50 === 7) {
      const column = wrong.length % 3 === 0 ? 0 : wrong.length % 3 === 1 ? 2 : 3;
      const right = cells[column]!;
      wrong.push({ row: index + 1, column: ["link", "", "format", "start_seconds"][column]!, right });
      cells[column] = column === 0 ? "https://drive.google.com/drive/my-drive" : "nine";
    }
    return cells.join(",");
  });
  return { csv: ["link,caption,format,start_seconds,sku", ...lines].join("\n"), wrong };
}

async function chooseTable(page: Page, csv: string): Promise<void> {
  await addFrom(page, "Add a table");
  const file = { name: "campaign.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await dialog(page).getByLabel("Table file").setInputFiles(file);
}

const writeCell = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press("F2");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await page.keyboard.press("Enter");
};

// spec 2.17.1, 2.17.2, 2.17.3, 2.17.4, 2.17.6, 2.17.8
test("the 20 problems of 1,000 rows are named, corrected by keyboard, and all rows become the job's", async ({
  page,
}) => {
  await fulfillPreflight(page);
  await openJobScreen(page, clipmill.url);
  const { csv, wrong } = thousandRows();
  await chooseTable(page, csv);
  await expect(dialog(page).getByText("20 problems")).toBeVisible();
  const list = dialog(page).getByRole("region", { name: "Problems" });
  const named = await list.getByRole("listitem").allInnerTexts();
  expect(named.map((text) => text.split("\n")[0])).toEqual(wrong.map(({ row, column }) => `Row ${row} · ${column}`));
  await expect(dialog(page).getByRole("button", { name: "Use 1,000 rows" })).toBeDisabled();
  await expectAccessible(page, "a table with problems");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await expectAccessible(page, "a table on a phone");
  await page.setViewportSize({ width: 1366, height: 768 });
  await dialog(page).getByText("Only problem rows").click();
  await expect(dialog(page).getByRole("grid", { name: "Table" })).toHaveAttribute("aria-rowcount", "21");
  await dialog(page).getByText("Only problem rows").click();
  for (const { right } of wrong) {
    await dialog(page).getByRole("button", { name: "Next problem" }).click();
    await writeCell(page, right);
  }
  await expect(dialog(page).getByText("No problems")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Use 1,000 rows" }).click();
  await expect(toastOf(page, "Table Added")).toContainText("1,000 rows are in the list of videos.");
  await page.getByLabel("Job name").fill("Thousand");
  await startOf(page).click();
  await expect(page.getByText("Job Started")).toBeVisible();
  const { data } = await client.from("jobs").select("id,rows").eq("job_name", "Thousand").single();
  const rows = data!.rows as { link: string; settings: object; pass: object }[];
  expect(rows).toHaveLength(1_000);
  expect(rows[7]).toMatchObject({
    link: drive("clip-8"),
    settings: { custom_captions: ["Caption 8"], format: "9:16", start_seconds: 2 },
    pass: { sku: "SKU-8" },
  });
  await client.functions.invoke("vps-integration/cancel", { body: { jobId: data!.id as string } });

  // The job's page shows the columns, and a duplicate has them again, with those that are passed on.
  await page.goto(`${clipmill.url}/jobs/${data!.id as string}`);
  await expect(page.getByText("1,000 of 1,000 videos", { exact: true })).toBeVisible();
  await page
    .getByRole("button", { name: /^3 custom settings of/ })
    .first()
    .click();
  await expect(page.getByText("SKU-1", { exact: true })).toBeVisible();
  await openJobScreen(page, clipmill.url, `?from=${data!.id as string}`);
  await addFrom(page, "Edit table");
  await expect(cell(page, 7, 4)).toHaveText("SKU-8");
  await expect(dialog(page).getByText("No problems")).toBeVisible();
});

// spec 2.17.1, 2.17.2, 2.17.4, 2.17.5, 2.17.6, 2.17.7, 2.17.8
test("pasted cells become a table, which is edited like a spreadsheet and kept with the draft", async ({ page }) => {
  await fulfillPreflight(page);
  await openJobScreen(page, clipmill.url);
  const field = page.getByLabel("Video links");
  await fillVideoLinks(page, drive("first"));
  await editAsText(page, field);
  const lines = ["link\tcaption\tformat\tsku", `${drive("a")}\tOne\t9:16\tA-1`, `${drive("b")}\tTwo\tnine\tB-2`];
  await paste(page, field, lines.join("\n"));
  await page.getByRole("button", { name: "Use as a table" }).click();
  await expect(dialog(page).getByText("1 problem")).toBeVisible();

  // Typing replaces, Escape drops, Tab keeps and moves on; a block fills cells and adds rows; undo takes steps back.
  await cell(page, 0, 1).click();
  await page.keyboard.type("Uno");
  await page.keyboard.press("Tab");
  await expect(cell(page, 0, 1)).toHaveText("Uno");
  await expect(cell(page, 0, 2)).toBeFocused();
  await page.keyboard.type("lost");
  await page.keyboard.press("Escape");
  await expect(cell(page, 0, 2)).toHaveText("9:16");
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${drive("c")}\tThree\t1:1\tC-3`);
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+V");
  await expect(cell(page, 1, 1)).toHaveText("Three");
  await page.keyboard.press("Control+Z");
  await expect(cell(page, 1, 1)).toHaveText("Two");
  await dialog(page).getByRole("button", { name: "Add row" }).click();
  await page.keyboard.press("Control+V");
  await expect(cell(page, 2, 3)).toHaveText("C-3");
  await dialog(page).getByRole("combobox", { name: "Use column sku as" }).click();
  await page.getByRole("option", { name: "Ignore" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alertdialog")).toContainText("Discard your changes");
  await page.getByRole("button", { name: "Keep editing" }).click();

  // The row with a problem is skipped only on request.
  await dialog(page).getByText("Skip 1 row with problems").click();
  await dialog(page).getByRole("button", { name: "Use 2 rows" }).click();
  await expect(field).toHaveValue([drive("first"), drive("a"), drive("c")].join("\n"));
  const plan = page.getByRole("complementary", { name: "Plan" });
  await expect(plan.getByText("2 of 3 videos")).toBeVisible();
  const own = page.getByRole("button", { name: "2 custom settings of c.mp4" });
  await own.click();
  await expect(page.getByText("Three", { exact: true })).toBeVisible();
  await page
    .getByRole("row")
    .filter({ has: own })
    .click({ position: { x: 200, y: 10 } });
  await expect(plan.getByRole("img", { name: /the caption "Three"/ })).toBeVisible();
  await page.waitForFunction(() => Object.values(localStorage).some((text: string) => text.includes("Three")));
  await page.reload();
  await expect(own).toBeVisible();
  await addFrom(page, "Edit table");
  await expect(cell(page, 0, 0)).toHaveText(drive("first"));
  await expect(cell(page, 2, 1)).toHaveText("Three");
  // A link that arrives while the table is open stays.
  await page.route("**/uploads?*", (route) =>
    route.fulfill({ json: { data: { id: "late", name: "late.mp4", link: drive("late") }, isDuplicate: false } }),
  );
  await page
    .getByLabel("Video files")
    .setInputFiles({ name: "late.mp4", mimeType: "video/mp4", buffer: Buffer.from("late") });
  const all = [drive("first"), drive("a"), drive("c"), drive("late")].join("\n");
  await expect(field).toHaveValue(all);
  await dialog(page).getByRole("button", { name: "Use 3 rows" }).click();
  await expect(toastOf(page, "Table Updated")).toBeVisible();
  await expect(field).toHaveValue(all);

  // Files that are not tables show an error with the next step.
  await page.getByRole("button", { name: "Clear draft" }).click();
  for (const [buffer, sentence] of [
    [Buffer.from("PK\u0003\u0004"), "Save it as CSV UTF-8"],
    [Buffer.from([0x67, 0x72, 0xf6, 0xdf, 0x65]), "This file is not in UTF-8."],
    [Buffer.from(""), "The table is empty."],
  ] as const) {
    if (!(await dialog(page).isVisible())) await addFrom(page, "Add a table");
    await dialog(page).getByLabel("Table file").setInputFiles({ name: "x.csv", mimeType: "text/csv", buffer });
    await expect(dialog(page).getByRole("alert")).toContainText(sentence);
  }
  await expectAccessible(page, "the source of a table");
  await dialog(page).getByLabel("Address of a published sheet").fill("https://site.example/sheet.csv");
  await dialog(page).getByRole("button", { name: "Load" }).click();
  await expect(dialog(page).getByRole("alert")).toContainText('Turn on "Web addresses" in Settings');

  // A sheet that is still loading does not replace a table that was pasted meanwhile.
  await page.route("**/functions/v1/job-table", () => {});
  const canceled = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/job-table"));
  await dialog(page).getByRole("button", { name: "Load" }).click();
  await paste(page, dialog(page).getByLabel("Paste cells from a spreadsheet"), lines.join("\n"));
  await canceled;
  await expect(dialog(page).getByText("1 problem")).toBeVisible();
});

/** As Excel saves them with Russian and Japanese as the system's language. */
const RUSSIAN = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2];
const JAPANESE = [0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0x8e, 0x8e, 0x8c, 0xb1];

test("a table in another encoding is read in the one that shows its letters, which the operator confirms", async ({
  page,
}) => {
  await openJobScreen(page, clipmill.url);
  await addFrom(page, "Add a table");
  const choose = async (name: string, ...caption: number[]) => {
    const buffer = Buffer.from([...Buffer.from(`link;caption\r\n${drive("a")};`), ...caption]);
    await dialog(page).getByLabel("Table file").setInputFiles({ name, mimeType: "text/csv", buffer });
    await expect(dialog(page).getByRole("alert")).toContainText(`Choose the encoding of ${name}`);
  };
  const encoding = dialog(page).getByRole("combobox", { name: "Encoding" });
  const preview = dialog(page).getByRole("table", { name: "First rows" });
  await choose("cp932.csv", ...JAPANESE);
  await expect(encoding).toHaveText("Japanese (Shift JIS, Windows-932)");
  await expect(preview.getByRole("cell", { name: "テスト試験" })).toBeVisible();
  await choose("cp1251.csv", ...RUSSIAN);
  await expect(encoding).toHaveText("Cyrillic (Windows-1251)");
  await expect(preview.getByRole("cell", { name: "Привет" })).toBeVisible();

  // By keyboard, from the panel, which has focus.
  await page.keyboard.press("Tab");
  await expect(encoding).toBeFocused();
  const pick = async (typed: string) => {
    await page.keyboard.press("Enter");
    // A list forgets what was typed slowly.
    await expect(async () => {
      await page.keyboard.type(typed);
      await expect(page.locator("[role=option][data-highlighted]")).toContainText(typed, { timeout: 1_000 });
    }).toPass();
    await page.keyboard.press("Enter");
  };
  await pick("Western");
  await expect(preview.getByRole("cell", { name: "Ïðèâåò" })).toBeVisible();
  await pick("Japanese (S");
  await expect(dialog(page).getByText("This file is not in shift_jis. Choose another encoding.")).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: "Use this encoding" })).toBeDisabled();
  await expectAccessible(page, "the encoding of a table");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoOverflow(page);
  await page.setViewportSize({ width: 1366, height: 768 });
  await encoding.focus();
  await pick("Cyrillic (W");
  await expect(preview.getByRole("cell", { name: "Привет" })).toBeVisible();
  await expect(encoding).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog(page).getByRole("button", { name: "Use this encoding" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(cell(page, 0, 1)).toHaveText("Привет");
  await expect(dialog(page).getByText("No problems")).toBeVisible();
});

// spec 2.17.6
test("40 rows of four clips with captions of their own are 40 videos, and only equal rows are duplicates", async ({
  page,
}) => {
  await fulfillPreflight(page);
  await openJobScreen(page, clipmill.url);
  const rows = Array.from({ length: 40 }, (_, index) => `${drive(`clip-${index % 4}`)},Caption ${index}`);
  await chooseTable(page, ["link,caption", ...rows].join("\n"));
  await dialog(page).getByRole("button", { name: "Use 40 rows" }).click();
  const field = page.getByLabel("Video links");
  await expectVideos(page, 40);
  await expect(page.getByRole("list", { name: "Duplicate lines" })).toBeHidden();
  const plan = page.getByRole("complementary", { name: "Plan" });
  await expect(plan.getByText("On 40 videos", { exact: true })).toBeVisible();
  await expect(plan.getByText("unique")).toHaveCount(0);

  await addFrom(page, "Edit table");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${drive("clip-0")}\tCaption 0`);
  await cell(page, 1, 0).click();
  await page.keyboard.press("Control+V");
  await dialog(page).getByRole("button", { name: "Use 40 rows" }).click();
  const same = "Line 2 has the same link, name, settings and passed columns as line 1";
  await expect(page.getByRole("list", { name: "Duplicate lines" })).toHaveText(same);
  await expect(plan.getByText("39 unique files, 1 copy").filter({ visible: true })).toBeVisible();
  await page.getByRole("button", { name: "Remove duplicates" }).click();
  await expect(toastOf(page, "Duplicates Removed")).toContainText("1 line removed.");
  await expect(plan.getByText("On 39 videos", { exact: true })).toBeVisible();
  await expect(field).toHaveValue([drive("clip-0"), ...rows.slice(2).map((line) => line.split(",")[0])].join("\n"));

  // Of the clip's ten rows, the removed video is the one that disappears.
  await page
    .getByRole("row", { name: /clip-0/ })
    .nth(1)
    .getByRole("button", { name: /^Remove/ })
    .click();
  await addFrom(page, "Edit table");
  const captions = await dialog(page).locator('[data-row] [data-column="1"]').allInnerTexts();
  expect(captions.slice(0, 5)).toEqual(["Caption 0", "Caption 2", "Caption 3", "Caption 5", "Caption 6"]);
});
