import { expect, type Page } from "@playwright/test";
import { readJob } from "#operations/jobs/read/read-job.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { test } from "#tests/support/browser/browser-test.ts";
import {
  openAdvanced,
  openJobScreen,
  startOf,
  toastOf,
  unexpectedErrors,
  watchPreviews,
} from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { makePng } from "#tests/support/media/make-image.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const LINK = "https://drive.google.com/file/d/layered/view";

let clipmill: SeededClipmill;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await openAdvanced(page);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

const layersOf = (page: Page) => page.getByRole("list", { name: "Layers" }).getByRole("listitem");
const handleOf = (page: Page, number: number) => page.getByRole("button", { name: `Place of layer ${number}` });

async function drag(page: Page, number: number, to: { x: number; y: number }): Promise<void> {
  const screen = (await page.getByRole("img", { name: /^A plain background with/ }).boundingBox())!;
  const { x, y, width, height } = (await handleOf(page, number).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(screen.x + screen.width * to.x, screen.y + screen.height * to.y, { steps: 4 });
  await page.mouse.up();
}

test("texts and images are added, placed in the preview by mouse and keys, ordered, and sent with the job", async ({
  page,
}) => {
  const expectPreview = watchPreviews(page);
  const expectLayers = (layers: object[]) => expectPreview({ layers });
  await page.getByRole("button", { name: "Add text layer" }).click();
  await layersOf(page).getByRole("textbox").fill("Only 9 €");
  await expectLayers([{ kind: "text", text: "Only 9 €" }]);
  await drag(page, 1, { x: 0.3, y: 0.4 });
  await expectLayers([{ x: 0.3, y: 0.4 }]);
  // Close to the middle, it snaps.
  await drag(page, 1, { x: 0.49, y: 0.6 });
  await expectLayers([{ x: 0.5, y: 0.6 }]);
  await handleOf(page, 1).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowDown");
  await expectLayers([{ x: 0.49, y: 0.61 }]);
  await expect(handleOf(page, 1)).toBeFocused();

  await page.getByRole("button", { name: "Look of layer 1" }).click();
  await expectAccessible(page, "the look of a layer");
  await page
    .getByRole("radiogroup", { name: "Position" })
    .getByRole("radio", { name: "Bottom left" })
    .check({ force: true });
  await page.getByRole("radiogroup", { name: "Style" }).getByText("Box").click();
  await page.getByLabel("Shown until").fill("2.5");
  await expectLayers([{ x: null, y: null, position: "bottom-left", style: "box", end_seconds: 2.5 }]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "Look of layer 1" })).toContainText("Bottom left · 5% · 0 to 2.5 s");

  await page.getByRole("button", { name: "Add image layer" }).click();
  await layersOf(page)
    .nth(1)
    .getByLabel("Image of layer 2 file")
    .setInputFiles({ name: "badge.png", mimeType: "image/png", buffer: makePng(40, 20, [0, 160, 160, 255]) });
  await expect(handleOf(page, 2)).toBeVisible();
  await expectAccessible(page, "layers");
  await page.getByRole("button", { name: "Actions for layer 2" }).click();
  await page.getByRole("menuitem", { name: "Move up" }).click();
  await expectLayers([{ kind: "image" }, { kind: "text" }]);
  for (const width of [390, 800, 1366]) {
    await page.setViewportSize({ width, height: 768 });
    await expectNoOverflow(page);
  }

  // No worker takes it.
  await page.getByLabel("Worker labels").fill("nobody");
  await page.getByLabel("Job name").fill("Layered");
  await page.getByLabel("Video links").fill(LINK);
  await startOf(page).click();
  await expect(toastOf(page, "Job Started")).toBeVisible();
  const { id } = await clipmill.db
    .selectFrom("jobs")
    .select("id")
    .where("job_name", "=", "Layered")
    .executeTakeFirstOrThrow();
  const job = await readJob(clipmill.context, id);
  expect(job!.layers).toMatchObject([{ kind: "image" }, { kind: "text", position: "bottom-left", end_seconds: 2.5 }]);
});

test("a field that no row has is named in the form, and the job is not created", async ({ page }) => {
  await page.getByRole("button", { name: "Add text layer" }).click();
  await layersOf(page).getByRole("textbox").fill("{row.price}");
  const reason = 'The text of layer 1 uses the column "price", which no row has';
  await expect(page.getByRole("alert").filter({ hasText: reason })).toBeVisible();
  await page.getByLabel("Job name").fill("Without a price");
  await page.getByLabel("Video links").fill(LINK);
  await startOf(page).click();
  await expect(toastOf(page, "Invalid Layers")).toContainText(reason);
  await page.getByRole("button", { name: "Actions for layer 1" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await expect(layersOf(page)).toHaveCount(0);
});
