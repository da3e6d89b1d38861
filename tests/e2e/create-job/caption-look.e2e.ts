import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import {
  captionsOf,
  openCaptionLook,
  openJobScreen,
  unexpectedErrors,
  watchPreviews,
} from "#tests/support/browser/job-screen.ts";
import { expectNoOverflow, signIn } from "#tests/support/browser/screens.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";

const CAPTION = "Wait for the *pour*";

let clipmill: SeededClipmill;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
});

test.beforeEach(async ({ page }) => {
  errors = await signIn(page, clipmill.url);
  await openJobScreen(page, clipmill.url);
  await page.getByRole("switch", { name: "Captions", exact: true }).check();
  await captionsOf(page).fill(CAPTION);
});

test.afterEach(() => {
  expect(unexpectedErrors(errors)).toEqual([]);
});

test("font, colors and highlights show in the preview, and hard-to-read colors get a warning", async ({ page }) => {
  const expectPreview = watchPreviews(page);
  await openCaptionLook(page);
  await page.getByRole("radiogroup", { name: "Font" }).getByText("Condensed").click();
  await page.getByRole("radiogroup", { name: "Weight" }).getByText("Medium").click();
  await page.getByLabel("Text color", { exact: true }).fill("fc0");
  await expectPreview({ caption_font: "condensed", caption_weight: "medium", caption_color: "#ffcc00" });
  await page.getByLabel("Text color", { exact: true }).blur();
  await expect(page.getByLabel("Text color", { exact: true })).toHaveValue("#ffcc00");
  await page.getByRole("switch", { name: "Highlight words" }).check();

  await expect(page.getByLabel("Box color", { exact: true })).toHaveCount(0);
  await page.getByText("Box", { exact: true }).click();
  await page.getByLabel("Box color", { exact: true }).fill("#fff");
  await expect(page.getByText("Hard to read: the contrast between text and box is 1.5:1, below 3:1.")).toBeVisible();
  await expectAccessible(page, "the look of captions");
  await page.getByLabel("Box color", { exact: true }).fill("#00a");
  await expect(page.getByText(/Hard to read/)).toHaveCount(0);
  await page.getByRole("slider", { name: "Box opacity" }).fill("0.5");
  await expectPreview({ caption_box_color: "#0000aa80", caption_highlight: true });

  await page.getByLabel("Text color", { exact: true }).fill("red");
  await expect(page.getByText("Enter a color such as #ffcc00")).toBeVisible();
  await page.getByLabel("Text color", { exact: true }).blur();
  await expect(page.getByLabel("Text color", { exact: true })).toHaveValue("#ffffff");
  for (const width of [390, 800]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoOverflow(page);
  }
});

test("a caption moves by dragging, by keys and by the slider, and a position takes it back", async ({ page }) => {
  const expectPreview = watchPreviews(page);
  const handle = page.getByRole("slider", { name: "Caption position" });
  const picture = page.getByRole("img", { name: `A plain background with the caption "${CAPTION}"` });
  await expect(handle).toBeVisible();
  const before = (await handle.getAttribute("aria-valuetext"))!;
  const screen = (await picture.boundingBox())!;
  const drag = async (to: number) => {
    const { x, y, width, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, screen.y + screen.height * to, { steps: 4 });
    await page.mouse.up();
  };
  await drag(0.3);
  await expect(handle).toHaveAttribute("aria-valuetext", "30% from the top");
  const position = page.getByRole("radiogroup", { name: "Position" });
  await expect(position.getByRole("radio", { checked: true })).toHaveCount(0);
  await openCaptionLook(page);
  const slider = page.getByRole("slider", { name: "Vertical position" });
  await expect(slider).toHaveAttribute("aria-valuetext", "30% from the top");
  await drag(0.49);
  await expectPreview({ caption_y: 0.5 });

  await handle.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expectPreview({ caption_y: 0.48 });
  await expect(handle).toBeFocused();
  await page.keyboard.press("Home");
  // the top of the safe area: the caption is clear of the first 12 %
  const top = Number(await handle.getAttribute("aria-valuenow"));
  expect(top).toBeGreaterThan(12);
  expect(top).toBeLessThan(20);
  await slider.fill("0.62");
  await expectPreview({ caption_y: 0.62 });
  await expect(handle).toHaveAttribute("aria-valuetext", "62% from the top");
  await position.getByText("Bottom").click();
  await expect(slider).toHaveAttribute("aria-valuetext", "Set by Position");
  await expect(handle).toHaveAttribute("aria-valuetext", before);
});
