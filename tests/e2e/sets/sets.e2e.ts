/** SPEC sections 2, 5, 8 and 9, with a real server. */
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type SeededClipmill, shareSeededClipmill } from "#tests/support/servers/seeded-clipmill.ts";
import { signIn } from "#tests/support/browser/screens.ts";

const DRIVE = "https://drive.google.com/file/d";

type Kind = {
  name: "caption" | "audio";
  title: "Caption" | "Audio";
  route: string;
  table: "caption_sets" | "audio_sets";
  column: "captions" | "audio_links";
  field: string;
  needed: string;
  /** As typed, and as displayed on a card. */
  items: [string, string, string];
  shown: [string, string, string];
};

const KINDS: Kind[] = [
  {
    name: "caption",
    title: "Caption",
    route: "/caption-sets",
    table: "caption_sets",
    column: "captions",
    field: "Captions",
    needed: "Please provide both name and captions",
    items: ["POV: it is Monday", "Wait for the pour", "Save this one"],
    shown: ["POV: it is Monday", "Wait for the pour", "Save this one"],
  },
  {
    name: "audio",
    title: "Audio",
    route: "/audio-sets",
    table: "audio_sets",
    column: "audio_links",
    field: "Audio links",
    needed: "Please provide both name and audio links",
    items: [`${DRIVE}/abc123/view`, "https://www.instagram.com/reel/Xyz/", `${DRIVE}/def456/view`],
    shown: ["Drive file abc123", "Instagram reel/Xyz", "Drive file def456"],
  },
];

// The longest file, near the end: one worker would run it alone. Each worker has its own Clipmill.
test.describe.configure({ mode: "parallel" });

let clipmill: SeededClipmill;
let client: SupabaseClient;
let errors: string[];

test.beforeAll(async () => {
  clipmill = await shareSeededClipmill();
  client = await signedInClient(clipmill.url);
});

test.beforeEach(async ({ page }) => {
  for (const { table } of KINDS) await client.from(table).delete().neq("name", "");
  errors = await signIn(page, clipmill.url);
});

test.afterEach(() => {
  // The browser logs responses that tests make fail.
  expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
});

for (const kind of KINDS) {
  const { name, title, route, table, column, items, shown } = kind;

  const add = async (setName: string, setItems: readonly string[] = items): Promise<string> => {
    const { data, error } = await client
      .from(table)
      .insert({ name: setName, [column]: setItems })
      .select("id")
      .single();
    if (error) throw error;
    return data.id as string;
  };
  const readAll = async (): Promise<Record<string, unknown>[]> =>
    ((await client.from(table).select("*").order("created_at")).data ?? []) as Record<string, unknown>[];
  const open = async (page: Page): Promise<void> => {
    await page.goto(clipmill.url + route);
    await expect(page.getByRole("heading", { level: 1, name: `${title} Sets` })).toBeVisible();
  };
  const fillForm = async (page: Page, setName: string, text: string): Promise<void> => {
    await page.getByLabel("Name").fill(setName);
    await page.getByRole("textbox", { name: kind.field }).fill(text);
  };
  /** Fails calls of a method to the table until the returned function is called. */
  const failCalls = async (page: Page, method: string, how: number | "abort"): Promise<() => Promise<void>> => {
    const address = `**/rest/v1/${table}*`;
    await page.route(address, async (call) => {
      if (call.request().method() !== method) await call.continue();
      else if (how === "abort") await call.abort();
      else
        await call.fulfill({
          status: how,
          json: { code: "X", message: "The server says no.", details: null, hint: null },
        });
    });
    return () => page.unroute(address);
  };

  /** For behavior that is the same for both kinds. */
  const testOnce = (what: string, body: (browser: { page: Page; context: BrowserContext }) => Promise<void>): void => {
    if (name === "caption") test(what, ({ page, context }) => body({ page, context }));
  };

  test.describe(`${title} Sets`, () => {
    // Both have the same sheets and dialogs.
    if (name === "caption") test.use({ reducedMotion: "no-preference" });

    // spec 2.6.2, 8.27
    test("a new installation has no sets; a created set survives a reload, and the focus returns to the button", async ({
      page,
    }) => {
      await open(page);
      await expect(page.getByText(`No ${name} sets yet`)).toBeVisible();
      await page.getByRole("button", { name: "Create New Set" }).click();
      await expect(page.getByLabel("Name")).toBeFocused();
      await fillForm(page, "  Morning hooks ", `${items[0]}\n\n  ${items[1]}  \n${items[2]}`);
      await page.getByRole("button", { name: "Create set" }).click();
      await expectToast(page, `${title} Set Created`, '"Morning hooks" is ready to use in jobs.', "status", "leave");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByRole("button", { name: "Create New Set" })).toBeFocused();
      await page.reload();
      await expect(page.getByRole("heading", { name: "Morning hooks" })).toBeVisible();
      expect(await readAll()).toMatchObject([{ name: "Morning hooks", [column]: items }]);
    });

    // spec 2.6.3, 7.14, 7.15, 7.21, 9.17
    test("six skeleton cards are shown while the sets load, and the server sorts newest first", async ({ page }) => {
      const first = await add("First");
      await client.from(table).update({ name: "Older" }).eq("id", first);
      await add("Newer");
      const held = Promise.withResolvers<void>();
      const asked: string[] = [];
      await page.route(`**/rest/v1/${table}*`, async (call) => {
        asked.push(decodeURIComponent(new URL(call.request().url()).search));
        await held.promise;
        await call.continue();
      });
      await page.goto(clipmill.url + route);
      const skeleton = page.getByRole("list", { name: `Loading ${name} sets` });
      await expect(skeleton.locator("> li")).toHaveCount(6);
      held.resolve();
      await expect(cards(page).getByRole("heading")).toHaveText(["Newer", "Older"]);
      expect(asked[0]).toContain("select=*&order=created_at.desc");
    });

    // spec 2.6.1, 2.6.4, 9.18
    test("each card previews two items, and search matches names and items", async ({ page }) => {
      await add("Autumn");
      await add("Winter", [items[0], items[1], items[2], "Ünusual words"]);
      await open(page);
      const preview = (set: string) => card(page, set).getByRole("listitem");
      await expect(preview("Winter")).toHaveText([shown[0], shown[1]]);
      await page.getByRole("searchbox", { name: `Search ${name} sets` }).fill("ünusual");
      await expect(cards(page).getByRole("heading")).toHaveText(["Winter"]);
      await expect(preview("Winter")).toHaveText(["Ünusual words", shown[0]]);
      await expect(page).toHaveURL(/search=/);
      await page.reload();
      await expect(page.getByRole("searchbox")).toHaveValue("ünusual");
      await expect(cards(page).getByRole("heading")).toHaveText(["Winter"]);
      await page.getByRole("searchbox").fill("nothing has this");
      await expect(page.getByText(`No ${name} sets found`)).toBeVisible();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await expect(cards(page)).toHaveCount(2);
      await expect(page).toHaveURL(clipmill.url + route);
    });

    for (const how of name === "caption" ? ([500, 403, "abort"] as const) : ([500] as const)) {
      // spec 8.8
      test(`a list that cannot be loaded (${how}) shows an error, and Try again loads it`, async ({ page }) => {
        await add("There after all");
        const repair = await failCalls(page, "GET", how);
        await open(page);
        await expectToast(page, "Error", `Failed to load ${name} sets`);
        const state = page.getByRole("main").getByRole("alert");
        await expect(state).toContainText(`Failed to load ${name} sets`);
        await expect(state).toContainText(how === "abort" ? "could not be reached" : "The server says no.");
        await repair();
        await page.getByRole("button", { name: "Try again" }).click();
        await expect(cards(page).getByRole("heading")).toHaveText(["There after all"]);
      });

      // spec 2.6.2, 7.14, 7.15, 7.21, 8.1, 8.9, 8.27
      test(`a failed call (${how}) shows SPEC's text and keeps the input`, async ({ page }) => {
        await add("Kept");
        await open(page);
        let repair = await failCalls(page, "POST", how);
        await page.getByRole("button", { name: "Create New Set" }).click();
        await fillForm(page, "Typed", items[0]);
        await page.getByRole("button", { name: "Create set" }).click();
        await expectToast(page, "Error", `Failed to create ${name} set`);
        await expect(page.getByLabel("Name")).toHaveValue("Typed");
        await expect(page.getByRole("textbox", { name: kind.field })).toHaveValue(items[0]);
        await repair();
        await page.getByRole("button", { name: "Create set" }).click();
        await expectToast(page, `${title} Set Created`, "Typed", "status");

        repair = await failCalls(page, "PATCH", how);
        await card(page, "Kept").getByRole("button", { name: "Edit" }).click();
        await page.getByLabel("Name").fill("Kept and changed");
        await page.getByRole("button", { name: "Save changes" }).click();
        await expectToast(page, "Error", `Failed to update ${name} set`);
        await expect(page.getByLabel("Name")).toHaveValue("Kept and changed");
        await repair();
        await page.getByRole("button", { name: "Save changes" }).click();
        await expectToast(page, `${title} Set Updated`, '"Kept and changed" was saved.', "status");

        repair = await failCalls(page, "DELETE", how);
        await card(page, "Kept and changed").getByRole("button", { name: "Delete" }).click();
        await page.getByRole("button", { name: "Delete set" }).click();
        await expectToast(page, "Error", `Failed to delete ${name} set`);
        await repair();
        await page.getByRole("button", { name: "Delete set" }).click();
        await expectToast(page, `${title} Set Deleted`, '"Kept and changed" was deleted.', "status");
        await expect(cards(page).getByRole("heading")).toHaveText(["Typed"]);
        expect(await readAll()).toMatchObject([{ name: "Typed", [column]: [items[0]] }]);
      });
    }

    // spec 5.14
    test("name and items are required, and nothing is sent without them", async ({ page }) => {
      await add("Full");
      await open(page);
      const sent = countCalls(page, table);
      const isRejected = async (button: string) => {
        await page.getByRole("button", { name: button }).click();
        await expectToast(page, "Error", kind.needed);
      };
      await page.getByRole("button", { name: "Create New Set" }).click();
      await page.getByRole("button", { name: "Create set" }).click();
      await expect(page.getByLabel("Name")).toBeFocused();
      await expectToast(page, "Error", kind.needed);
      await fillForm(page, "A name", "  \n ");
      await isRejected("Create set");
      await expect(page.getByRole("textbox", { name: kind.field })).toHaveAttribute("aria-invalid", "true");
      await fillForm(page, "   ", items[0]);
      await isRejected("Create set");
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Discard" }).click();
      await card(page, "Full").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("");
      await isRejected("Save changes");
      await page.getByLabel("Name").fill("x".repeat(201));
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByText("Names can have at most 200 characters")).toBeVisible();
      // The form focuses the field with the error; typing elsewhere before that would land there.
      await expect(page.getByLabel("Name")).toBeFocused();
      await page.getByRole("textbox", { name: kind.field }).fill(`${items[0]}\n${"y".repeat(2_001)}`);
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByText(/2 is longer than 2,000 characters/)).toBeVisible();
      expect(sent()).toEqual([]);
    });

    // spec 2.6.2
    test("a set can be viewed in full, copied, and used in a new job", async ({ page, context }) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const id = await add("Whole");
      await open(page);
      await card(page, "Whole").getByRole("button", { name: "View" }).click();
      const sheet = page.getByRole("dialog", { name: "Whole" });
      await expect(page).toHaveURL(new RegExp(`view=${id}`));
      for (const item of items) await expect(sheet.getByText(item, { exact: true })).toBeVisible();
      if (table === "caption_sets") {
        for (const [index, item] of items.entries()) {
          if (index > 0) await sheet.getByRole("button", { name: item, exact: true }).click();
          const drawn = sheet.getByRole("img", { name: `The caption "${item}" as it is drawn` });
          await expect(drawn).toHaveJSProperty("naturalWidth", 540, { timeout: 30_000 });
        }
      }
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await sheet.getByRole("button", { name: "Copy", exact: true }).nth(1).click();
      expect(await clipboard()).toBe(items[1]);
      await sheet.getByRole("button", { name: "Copy all" }).click();
      await expect(sheet.getByRole("button", { name: "Copied!" })).toBeVisible();
      expect(await clipboard()).toBe(items.join("\n"));
      await expect(sheet.getByRole("button", { name: "Copy all" })).toBeVisible();
      await page.evaluate(() => {
        navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
      });
      await sheet.getByRole("button", { name: "Copy all" }).click();
      await expectToast(page, "Error", "Failed to copy to clipboard");
      await expect(sheet).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(sheet).toHaveCount(0);
      await expect(card(page, "Whole").getByRole("button", { name: "View" })).toBeFocused();
      await expect(page).toHaveURL(clipmill.url + route);
      await card(page, "Whole").getByRole("button", { name: "View" }).click();
      await sheet.getByRole("link", { name: "Use in a new job" }).click();
      // The job screen loads the set and removes it from the address.
      await expect(page).toHaveURL(`${clipmill.url}/video-processing`);
      await expect(page.getByRole("textbox", { name: kind.field, exact: true })).toHaveValue(items.join("\n"));
    });

    test("a set can be edited from its view, and the focus returns to its card", async ({ page }) => {
      await add("Looked at");
      await open(page);
      await card(page, "Looked at").getByRole("button", { name: "View" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click();
      await expect(page.getByLabel("Name")).toBeFocused();
      await page.getByLabel("Name").press("End");
      await page.keyboard.type(" twice");
      await page.keyboard.press("Enter");
      await expectToast(page, `${title} Set Updated`, "Looked at twice", "status", "leave");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(card(page, "Looked at twice").getByRole("button", { name: "Edit" })).toBeFocused();
      expect(await readAll()).toMatchObject([{ name: "Looked at twice", [column]: items }]);
    });

    testOnce("every way of leaving a changed form asks for confirmation", async ({ page }) => {
      await add("Here");
      // Navigate within the app, so that Back stays in it.
      await page.goto(clipmill.url);
      await page
        .getByRole("complementary")
        .getByRole("link", { name: `${title} Sets`, exact: true })
        .click();
      await card(page, "Here").getByRole("button", { name: "Edit" }).click();
      // Wait for the dialog's code, which loads on first use.
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await card(page, "Here").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("Here, changed");
      const question = page.getByRole("alertdialog", { name: "Discard changes?" });
      const expectQuestion = async () => {
        await expect(question).toBeVisible();
        await question.getByRole("button", { name: "Keep editing" }).click();
        await expect(question).toHaveCount(0);
        await expect(page.getByLabel("Name")).toHaveValue("Here, changed");
      };
      await page.keyboard.press("Escape");
      await expectQuestion();
      await page.getByRole("button", { name: "Cancel" }).click();
      await expectQuestion();
      await page.getByRole("button", { name: "Close" }).click();
      await expectQuestion();
      await page.mouse.click(300, 400);
      await expectQuestion();
      await page.evaluate(() => history.back());
      await expectQuestion();
      await expect(page).toHaveURL(clipmill.url + route);
      const asksBrowser = await page.evaluate(
        () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })),
      );
      expect(asksBrowser).toBe(true);
      await page.keyboard.press("Escape");
      await question.getByRole("button", { name: "Discard" }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(card(page, "Here").getByRole("button", { name: "Edit" })).toBeFocused();
      expect(await readAll()).toMatchObject([{ name: "Here" }]);
    });

    testOnce("a double click creates, saves and deletes once", async ({ page }) => {
      await open(page);
      const sent = countCalls(page, table);
      await page.getByRole("button", { name: "Create New Set" }).click();
      await fillForm(page, "Once", items[0]);
      await page.getByRole("button", { name: "Create set" }).dblclick();
      await expectToast(page, `${title} Set Created`, "Once", "status");
      await card(page, "Once").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("Once more");
      await page.getByRole("button", { name: "Save changes" }).dblclick();
      await expectToast(page, `${title} Set Updated`, "Once more", "status");
      await card(page, "Once more").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete set" }).dblclick();
      await expectToast(page, `${title} Set Deleted`, "Once more", "status", "leave");
      expect(sent()).toEqual(["POST", "PATCH", "DELETE"]);
      expect(await readAll()).toEqual([]);
      await expect(page.getByRole("button", { name: "Create New Set" })).toBeFocused();
    });

    // spec 2.6.2
    test("deleting a set needs confirmation and can be declined", async ({ page }) => {
      await add("Dear");
      await open(page);
      const sent = countCalls(page, table);
      await card(page, "Dear").getByRole("button", { name: "Delete" }).click();
      const question = page.getByRole("alertdialog", { name: `Delete this ${name} set?` });
      await expect(question).toContainText(
        `"Dear" and its 3 ${kind.name === "audio" ? "tracks" : "captions"} will be deleted.`,
      );
      await question.getByRole("button", { name: "Keep set" }).click();
      await expect(question).toHaveCount(0);
      await expect(card(page, "Dear").getByRole("button", { name: "Delete" })).toBeFocused();
      expect(sent()).toEqual([]);
    });

    testOnce(
      "a set deleted elsewhere during editing shows one sentence and can be saved as a new set",
      async ({ page }) => {
        const id = await add("Doomed");
        await open(page);
        await card(page, "Doomed").getByRole("button", { name: "Edit" }).click();
        await fillForm(page, "Saved after all", items[2]);
        await client.from(table).delete().eq("id", id);
        await page.getByRole("button", { name: "Save changes" }).click();
        await expect(page.getByRole("dialog").getByRole("alert")).toHaveText(
          `This ${name} set was deleted while you were editing it. Save your changes as a new set.`,
        );
        await expect(page.getByLabel("Name")).toHaveValue("Saved after all");
        await page.keyboard.press("Escape");
        await page.getByRole("button", { name: "Keep editing" }).click();
        await page.getByRole("button", { name: "Save as new set" }).click();
        await expectToast(page, `${title} Set Created`, "Saved after all", "status");
        expect(await readAll()).toMatchObject([{ name: "Saved after all", [column]: [items[2]] }]);
      },
    );

    testOnce("a set changed elsewhere during editing is overwritten only after confirmation", async ({ page }) => {
      const id = await add("Shared");
      await open(page);
      await card(page, "Shared").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("Mine");
      await client.from(table).update({ name: "Theirs" }).eq("id", id);
      await page.getByRole("button", { name: "Save changes" }).click();
      await expect(page.getByRole("dialog").getByRole("alert")).toContainText(`This ${name} set was changed elsewhere`);
      expect(await readAll()).toMatchObject([{ name: "Theirs" }]);
      await page.getByRole("button", { name: "Save changes" }).click();
      await expectToast(page, `${title} Set Updated`, "Mine", "status");
      expect(await readAll()).toMatchObject([{ name: "Mine", [column]: items }]);
    });

    testOnce("an ordinary save never claims a change elsewhere, not even for a moment", async ({ page }) => {
      await add("Plain");
      await open(page);
      await card(page, "Plain").getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name").fill("Plain again");
      await page.evaluate(() => {
        const seen = new MutationObserver(() => {
          if (document.body.textContent.includes("changed elsewhere")) document.body.dataset["flashed"] = "";
        });
        seen.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      await page.getByRole("button", { name: "Save changes" }).click();
      await expectToast(page, `${title} Set Updated`, "Plain again", "status");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      expect(await page.evaluate(() => "flashed" in document.body.dataset)).toBe(false);
    });

    testOnce("returning to the tab shows others' changes, also in an open view", async ({ page }) => {
      const id = await add("Before");
      await page.goto(`${clipmill.url}${route}?view=${id}`);
      await expect(page.getByRole("dialog", { name: "Before" })).toBeVisible();
      await client.from(table).delete().eq("id", id);
      await add("After");
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      await expect(page.getByRole("dialog")).toContainText(`This ${name} set no longer exists.`);
      await page.keyboard.press("Escape");
      await expect(cards(page).getByRole("heading")).toHaveText(["After"]);
    });

    testOnce("offline, the screen shows a message, and loads once online", async ({ page, context }) => {
      await add("Patient");
      await page.goto(clipmill.url);
      const link = page.getByRole("complementary").getByRole("link", { name: `${title} Sets`, exact: true });
      const code = page.waitForResponse((response) => response.url().includes(`${name}-sets-page`));
      await link.hover();
      await (await code).finished();
      await page.waitForLoadState("networkidle");
      await context.setOffline(true);
      await page.waitForFunction(() => !navigator.onLine);
      await link.click();
      await expect(page.getByText("You are offline")).toBeVisible();
      await context.setOffline(false);
      await expect(cards(page).getByRole("heading")).toHaveText(["Patient"]);
    });

    test("emoji, right-to-left and very long names fit, also on a phone", async ({ page }) => {
      await page.setViewportSize({ width: 390, height: 844 });
      const long = "Captions of a campaign that never ends ".repeat(5).slice(0, 200);
      const unbroken = "n".repeat(200);
      for (const setName of [long, unbroken, "قائمة الإفطار 🥣", "👩‍👩‍👧‍👦".repeat(10)]) {
        await add(setName, ["صباح الخير 🌅", "👍🏽".repeat(100), "z".repeat(2_000)]);
      }
      await open(page);
      await expect(cards(page)).toHaveCount(4);
      expect(await overflows(page)).toBe(false);
      const arabic = page.getByRole("heading", { name: "قائمة" });
      expect(await arabic.evaluate((element) => getComputedStyle(element).direction)).toBe("rtl");
      for (const button of ["View", "Edit"]) {
        await card(page, unbroken).getByRole("button", { name: button }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
        expect(await overflows(page)).toBe(false);
        const sheet = await page.getByRole("dialog").boundingBox();
        expect(sheet).toMatchObject({ x: 0, width: 390 });
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
      await card(page, unbroken).getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete set" }).click();
      await expectToast(page, `${title} Set Deleted`, "nnn", "status");
      expect(await overflows(page)).toBe(false);
    });

    test("axe finds no issues in both themes: empty, list, no match, sheets, dialogs and toasts", async ({ page }) => {
      await open(page);
      await expect(page.getByText(`No ${name} sets yet`)).toBeVisible();
      await expectAccessible(page, "empty");
      await add("One");
      await add(
        "Long",
        Array.from({ length: 60 }, (_, index) => `${items[0]}${index}`),
      );
      await open(page);
      await expect(cards(page)).toHaveCount(2);
      await expectAccessible(page, "list");
      await card(page, "Long").getByRole("button", { name: "View" }).click();
      await expect(page.getByRole("dialog").getByRole("listitem").first()).toBeVisible();
      await expectAccessible(page, "view");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Create New Set" }).click();
      await page.getByRole("button", { name: "Create set" }).click();
      await expect(page.getByRole("alert").filter({ hasText: kind.needed })).toBeVisible();
      await expectAccessible(page, "form with errors and toast");
      await fillForm(page, "A name", items[0]);
      await page.getByRole("button", { name: "Cancel" }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
      await expectAccessible(page, "question");
      await page.getByRole("button", { name: "Discard" }).click();
      await card(page, "One").getByRole("button", { name: "Delete" }).click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
      await expectAccessible(page, "deletion");
      await page.keyboard.press("Escape");
      await page.getByRole("searchbox").fill("no such set");
      await expect(page.getByText("Clear filters")).toBeVisible();
      await expectAccessible(page, "no match");
    });
  });
}

// spec 2.6.5, 9.18
test("track names over 30 characters are truncated without splitting a character", async ({ page }) => {
  const name = "A track with a name of thirty!";
  await client.from("audio_sets").insert({ name: "Names", audio_links: [name, `${name}!`] });
  await client.from("audio_sets").insert({ name: "Pictures", audio_links: ["🎵".repeat(30), "🎵".repeat(31)] });
  await page.goto(`${clipmill.url}/audio-sets`);
  await expect(card(page, "Names").getByRole("listitem")).toHaveText([name, `${name}...`]);
  await expect(card(page, "Pictures").getByRole("listitem")).toHaveText(["🎵".repeat(30), `${"🎵".repeat(30)}...`]);
});

test("a library track is shown by its name", async ({ page }) => {
  let link = "";
  await expect
    .poll(async () => {
      const { data } = await client.functions.invoke<{ data: { kind: string; link: string; name: string }[] }>(
        "library",
        {
          body: { method: "GET" },
        },
      );
      link = data?.data.find(({ kind }) => kind === "audio")?.link ?? "";
      return link;
    })
    .not.toBe("");
  await client.from("audio_sets").insert({ name: "Samples", audio_links: [link] });
  await page.goto(`${clipmill.url}/audio-sets`);
  await expect(card(page, "Samples").getByRole("listitem")).not.toContainText("Library file");
  await expect(card(page, "Samples").getByRole("listitem")).not.toContainText("https");
});

// spec 5.4
test("commas separate links, but captions only when one line is pasted into an empty field", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`${clipmill.url}/audio-sets`);
  await page.getByRole("button", { name: "Create New Set" }).click();
  const links = page.getByRole("textbox", { name: "Audio links" });
  await links.fill(`${DRIVE}/a/view, ${DRIVE}/b/view`);
  await expect(links).toHaveValue(`${DRIVE}/a/view\n${DRIVE}/b/view`);
  await expect(page.getByText("2 tracks · Google Drive or Instagram, one per line")).toBeVisible();
  await links.fill(`${DRIVE}/a/view\nnonsense`);
  await expect(page.getByText("1 line can't be used in a job")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();

  await page.goto(`${clipmill.url}/caption-sets`);
  await page.getByRole("button", { name: "Create New Set" }).click();
  const captions = page.getByRole("textbox", { name: "Captions" });
  const paste = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await captions.press("Control+v");
  };
  await paste("One, two , three");
  await expect(captions).toHaveValue("One\ntwo\nthree");
  await captions.press("Control+End");
  await paste("\nHello, world");
  await expect(captions).toHaveValue("One\ntwo\nthree\nHello, world");
  await expect(page.getByText("4 captions · One caption per line")).toBeVisible();
  // The remaining commas are split on request.
  await page.getByRole("button", { name: "Split at commas" }).click();
  await expect(captions).toHaveValue("One\ntwo\nthree\nHello\nworld");
  await page.getByLabel("Notifications").getByRole("button", { name: "Undo" }).click();
  await expect(captions).toHaveValue("One\ntwo\nthree\nHello, world");
});

test("10,000 captions can be saved, viewed with few rows in the DOM, searched and edited", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const captions = Array.from({ length: 10_000 }, (_, index) => `Caption ${index + 1} 🎬 of a very long set`);
  await page.goto(`${clipmill.url}/caption-sets`);
  await page.getByRole("button", { name: "Create New Set" }).click();
  await page.getByLabel("Name").fill("Ten thousand");
  const pasteOver = async (text: string) => {
    await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await page.getByRole("textbox", { name: "Captions" }).press("Control+a");
    await page.keyboard.press("Control+v");
  };
  await pasteOver(`${captions.join("\n")}\none more`);
  await page.getByRole("button", { name: "Create set" }).click();
  await expect(page.getByText("A caption set can have at most 10,000 captions")).toBeVisible();
  await pasteOver(captions.join("\n"));
  await page.getByRole("button", { name: "Create set" }).click();
  await expectToast(page, "Caption Set Created", "Ten thousand", "status");
  await card(page, "Ten thousand").getByRole("button", { name: "View" }).click();
  const rows = page.getByRole("dialog").getByRole("listitem");
  await expect(rows.first()).toContainText("Caption 1 ");
  expect(await rows.count()).toBeLessThan(60);
  await rows.first().hover();
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 200_000);
      return rows.last().textContent();
    })
    .toContain("Caption 10000 ");
  expect(await rows.count()).toBeLessThan(60);
  await expect(rows.last()).toHaveAttribute("aria-posinset", "10000");
  await page.getByRole("searchbox", { name: "Find a caption" }).fill("caption 7777 ");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("searchbox", { name: "Find a caption" })).toHaveValue("");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Ten thousand, renamed");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Caption Set Updated", "Ten thousand, renamed", "status");
  const { data } = await client.from("caption_sets").select("*").single();
  expect(data).toMatchObject({ name: "Ten thousand, renamed", captions });
});

test("a multi-line caption stays intact when only the name changes", async ({ page }) => {
  await client.from("caption_sets").insert({ name: "Two lines", captions: ["first\nsecond", "other"] });
  await page.goto(`${clipmill.url}/caption-sets`);
  await card(page, "Two lines").getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name").fill("Still two");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Caption Set Updated", "Still two", "status");
  expect((await client.from("caption_sets").select("captions").single()).data).toEqual({
    captions: ["first\nsecond", "other"],
  });
});

test("a set can be created, changed and deleted with the keyboard only", async ({ page }) => {
  await page.goto(`${clipmill.url}/caption-sets`);
  const press = async (key: string, times = 1) => {
    for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
  };
  const isFocused = (name: string) => expect(page.getByRole("button", { name, exact: true })).toBeFocused();
  await page.getByRole("button", { name: "Create New Set" }).focus();
  await press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("By hand");
  await press("Tab");
  await page.keyboard.type("First\nSecond");
  await press("Tab", 2);
  await isFocused("Create set");
  await press("Enter");
  await expectToast(page, "Caption Set Created", "By hand", "status", "leave");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await isFocused("Create New Set");
  await press("Tab", 4);
  await isFocused("Edit");
  await press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Typed over");
  await press("Escape");
  await isFocused("Keep editing");
  await press("Tab");
  await press("Enter");
  await isFocused("Edit");
  await press("Tab");
  await press("Enter");
  await isFocused("Keep set");
  await press("Tab");
  await press("Enter");
  await expectToast(page, "Caption Set Deleted", "By hand", "status", "leave");
  await isFocused("Create New Set");
});

function cards(page: Page) {
  return page.getByRole("main").locator("li:has(h2)");
}

function card(page: Page, name: string) {
  return cards(page).filter({ has: page.getByRole("heading", { name, exact: true }) });
}

/** Dismisses the toast by default, so that the next one cannot be confused with it. */
async function expectToast(
  page: Page,
  title: string,
  text: string,
  role: "alert" | "status" = "alert",
  then: "dismiss" | "leave" = "dismiss",
): Promise<void> {
  const toasts = page.getByRole("region", { name: "Notifications" }).getByRole(role);
  const toast = toasts.filter({ has: page.getByText(title, { exact: true }) }).filter({ hasText: text });
  await expect(toast).toHaveCount(1);
  if (role === "alert") await expect(toast.getByText(text, { exact: true })).toBeVisible();
  if (then === "leave") return;
  await toast.getByRole("button", { name: "Dismiss" }).click();
  await expect(toast).toHaveCount(0);
}

/** Returns a function that lists the methods of later calls that change the table. */
function countCalls(page: Page, table: string): () => string[] {
  const methods: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET" && request.url().includes(`/rest/v1/${table}`)) methods.push(request.method());
  });
  return () => methods;
}

function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
