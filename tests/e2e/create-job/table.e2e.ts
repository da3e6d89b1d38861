/** Tables on the job screen. The answers of the function preflight are given here. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { DRIVE, openJobScreen, paste, startOf, toastOf, unexpectedFaults } from "#tests/support/browser/job-screen.ts";
import { answerPreflight } from "#tests/support/browser/preflight.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";

let folder: string;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
let faults: string[];

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
  faults = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  expect(unexpectedFaults(faults)).toEqual([]);
});

const drive = (id: string) => `${DRIVE}/${id}/view`;
const dialog = (page: Page): Locator => page.getByRole("dialog");
const cell = (page: Page, row: number, column: number): Locator =>
  dialog(page).locator(`[data-row="${row}"] [data-column="${column}"]`);

/** Columns: link, caption, format, start_seconds, sku. Every fiftieth row has a fault. */
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
  await page.getByRole("button", { name: "Add a table" }).click();
  const file = { name: "campaign.csv", mimeType: "text/csv", buffer: Buffer.from(csv) };
  await dialog(page).getByLabel("Table file").setInputFiles(file);
}

test("the 20 faults of 1,000 rows are named, corrected by keyboard, and all rows become the job's", async ({
  page,
}) => {
  await answerPreflight(page);
  await openJobScreen(page, clipmill.url);
  const { csv, wrong } = thousandRows();
  await chooseTable(page, csv);
  await expect(dialog(page).getByText("20 problems")).toBeVisible();
  const list = dialog(page).getByRole("region", { name: "Problems" });
  const named = await list.getByRole("listitem").allInnerTexts();
  expect(named.map((text) => text.split("\n")[0])).toEqual(wrong.map(({ row, column }) => `Row ${row} · ${column}`));
  await expect(dialog(page).getByRole("button", { name: "Use 1,000 rows" })).toBeDisabled();
  await expectAccessible(page, "a table with problems");
  for (const { right } of wrong) {
    await dialog(page).getByRole("button", { name: "Next problem" }).click();
    await page.keyboard.type(right);
    await page.keyboard.press("Enter");
  }
  await expect(dialog(page).getByText("No problems")).toBeVisible();
  await dialog(page).getByRole("button", { name: "Use 1,000 rows" }).click();
  await expect(toastOf(page, "Table Used")).toContainText("1,000 rows are in the list of videos.");
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
});
