/** SPEC sections 2, 4, 5, 7, 8 and 9, with a real server and the built-in redirector. */
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/browser-test.ts";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { CloakStateResponse, PublishResult, Domain, Route } from "#contract/cloak/cloak.ts";
import { expectAccessible } from "#tests/support/browser/axe.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { type ClipmillProcess, EMAIL, PASSWORD } from "#tests/support/servers/clipmill-process.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { watchConsole } from "#tests/support/browser/watch-console.ts";

const HOME = "https://shop.example.com/sale";
const GONE_DOMAIN = "Someone else deleted this domain.";
const GONE_ROUTE = "Someone else deleted this route.";

let folder: string;
let redirectorPort: number;
let clipmill: ClipmillProcess;
let client: SupabaseClient;
/** As in the browser's `localStorage`. */
let session: string;
let errors: string[];
/** Errors that the test provokes. */
let allowed: RegExp[];

test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-cloak-"));
  redirectorPort = await findFreePort();
  clipmill = await startInstalledClipmill(path.join(folder, "data"), { REDIRECTOR_PORT: String(redirectorPort) });
  client = await signedInClient(clipmill.url);
  session = JSON.stringify((await client.auth.getSession()).data.session);
});

test.afterAll(async () => {
  await clipmill.stop();
  await rm(folder, { recursive: true, force: true });
});

test.beforeEach(async ({ page }) => {
  await client.from("domains").delete().in("status", ["active", "inactive"]);
  await publishNow();
  errors = watchConsole(page);
  allowed = [];
  await page.addInitScript(
    ([origin, stored]) => location.origin === origin && localStorage.setItem("clipmill-auth", stored),
    [clipmill.url, session] as const,
  );
});

test.afterEach(async ({ page }) => {
  // A request in flight may still be waiting for the server.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  expect(errors.filter((error) => !allowed.some((pattern) => pattern.test(error)))).toEqual([]);
});

test.describe("domains", () => {
  // spec 2.11.8, 2.11.13
  test("empty lists show what to do", async ({ page }) => {
    await open(page);
    await expect(page.getByText("No domains configured yet. Add your first domain to get started.")).toBeVisible();
    await tab(page, "Routes").click();
    await expect(page.getByText("No routes found. Create your first route to get started.")).toBeVisible();
  });

  // spec 2.11.6, 3.8, 5.17, 8.30
  test("a domain is added with the keyboard only, stored in lower case, with its notes in a tooltip", async ({
    page,
  }) => {
    await open(page);
    const add = page.getByRole("button", { name: "Add Domain" });
    await add.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Add Domain" });
    await expect(dialog.getByLabel("Domain *")).toBeFocused();
    await page.keyboard.type("  Go.Example.COM ");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Ask Dana first");
    await dialog.getByLabel("Domain *").press("Enter");
    await expect(toast(page, "Domain added successfully")).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(add).toBeFocused();
    expect(await domains()).toMatchObject([{ name: "go.example.com", notes: "Ask Dana first", status: "active" }]);

    const notes = row(page, "go.example.com").getByRole("button", { name: "Ask Dana first" });
    await notes.hover();
    await expect(page.locator("[popover]")).toHaveText(/Ask Dana first/);
    await notes.click();
    await expect(page.getByRole("dialog", { name: "Notes on go.example.com" })).toContainText("Ask Dana first");
    await page.keyboard.press("Escape");
    await expect(notes).toBeFocused();
  });

  test("a Unicode name is stored as punycode and shown as typed", async ({ page }) => {
    await open(page);
    await addDomain(page, "Münchner-Kaffee.de");
    await expect(row(page, "münchner-kaffee.de")).toBeVisible();
    expect(await domains()).toMatchObject([{ name: "xn--mnchner-kaffee-gsb.de" }]);
  });

  // spec 5.17, 5.18
  test("an invalid host name is rejected in SPEC's words, and Add requires a name", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "Add Domain" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Domain" });
    const add = dialog.getByRole("button", { name: "Add Domain" });
    await expect(add).toBeDisabled();
    await dialog.getByLabel("Domain *").fill("   ");
    await expect(add).toBeDisabled();
    for (const wrong of ["harbor oak", "https://example.com", "-a.example.com", "example", "a..b.com", "../etc"]) {
      await dialog.getByLabel("Domain *").fill(wrong);
      await add.click();
      await expect(dialog.getByText("Invalid domain format", { exact: true })).toBeVisible();
    }
    expect(await domains()).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
  });

  test("an existing name is rejected, and the input stays", async ({ page }) => {
    await newDomain("go.example.com");
    await open(page);
    await page.getByRole("button", { name: "Add Domain" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Domain" });
    await dialog.getByLabel("Domain *").fill("GO.example.com");
    allowed.push(/status of 409/);
    await dialog.getByRole("button", { name: "Add Domain" }).click();
    await expect(failure(page, "Failed to add domain")).toContainText("This domain already exists.");
    await failure(page, "Failed to add domain").getByRole("button", { name: "Dismiss" }).click();
    await expect(dialog.getByLabel("Domain *")).toHaveValue("GO.example.com");
  });

  // spec 5.18
  test("a double click adds one domain", async ({ page }) => {
    await open(page);
    await page.getByRole("button", { name: "Add Domain" }).click();
    const dialog = page.getByRole("dialog", { name: "Add Domain" });
    await dialog.getByLabel("Domain *").fill("twice.example.com");
    await dialog.getByRole("button", { name: "Add Domain" }).dblclick();
    await expect(dialog).toHaveCount(0);
    await expect(toast(page, "Domain added successfully")).toHaveCount(1);
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect(await domains()).toHaveLength(1);
  });

  // spec 2.11.5, 2.11.7, 2.11.10, 4.8.1, 8.30
  test("deactivating a domain deactivates its routes, and activating restores them", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await newRoute(domain, "summer", { active: false });
    await open(page);
    await chooseStatus(page, "go.example.com", "Inactive");
    await expect(toast(page, "Domain status updated successfully")).toBeVisible();
    await expect(statusOf(page, "go.example.com")).toHaveText("Inactive");
    expect((await routes()).map(({ active }) => active)).toEqual([false, false]);
    await tab(page, "Routes").click();
    await expect(page.getByRole("row").filter({ hasText: "Inactive" })).toHaveCount(2);
    await tab(page, "Domains").click();
    await chooseStatus(page, "go.example.com", "Active");
    await expect(statusOf(page, "go.example.com")).toHaveText("Active");
    await expect.poll(async () => (await routes()).map(({ active }) => active)).toEqual([true, true]);
  });

  // spec 2.11.5, 2.11.7, 4.8.2, 8.30
  test("deleting a domain needs confirmation, deletes its routes, and keeps the focus on the screen", async ({
    page,
  }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await newRoute(domain, "summer");
    await open(page);
    const button = row(page, "go.example.com").getByRole("button", { name: "Delete Domain" });
    await expect(row(page, "go.example.com").getByRole("button", { name: "2 routes" })).toHaveText("2", {
      useInnerText: true,
    });
    await button.click();
    const dialog = page.getByRole("alertdialog", { name: "Delete this domain?" });
    await expect(dialog).toContainText("go.example.com will be deleted. Its 2 routes will also be deleted.");
    await dialog.getByRole("button", { name: "Keep domain" }).click();
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
    expect(await domains()).toHaveLength(1);

    await button.click();
    await dialog.getByRole("button", { name: "Delete domain" }).click();
    await expect(toast(page, "Domain deleted successfully")).toBeVisible();
    await expect(page.getByText("No domains configured yet. Add your first domain to get started.")).toBeVisible();
    expect(await domains()).toEqual([]);
    expect(await routes()).toEqual([]);
    await expect(page.getByRole("tabpanel").locator(":focus")).toHaveCount(1);
  });
});

test.describe("routes", () => {
  // spec 2.11.10, 2.11.11, 2.11.12, 2.11.13, 3.9, 5.21, 5.22, 8.31
  test("a route can be created, edited and deleted", async ({ page }) => {
    await newDomain("go.example.com");
    await open(page, "?tab=routes");
    const opener = page.getByRole("button", { name: "New Route" });
    await opener.click();
    const sheet = page.getByRole("dialog", { name: "New Route" });
    const create = sheet.getByRole("button", { name: "Create route" });
    await expect(sheet.getByText("Use __root__ for root domain redirects")).toBeVisible();
    await expect(sheet.getByRole("checkbox", { name: "Active" })).toBeChecked();
    await expect(create).toBeDisabled();
    await sheet.getByLabel("Slug *").fill(" //spring/sale ");
    await expect(create).toBeDisabled();
    await sheet.getByLabel("Primary URL *").fill(` ${HOME} `);
    await expect(create).toBeDisabled();
    await chooseDomain(page, sheet, "go.example.com");
    await expect(sheet.getByText("https://go.example.com/spring/sale", { exact: true })).toBeVisible();
    await create.dblclick();
    await expect(toast(page, "Route added successfully")).toHaveCount(1);
    await expect(sheet).toHaveCount(0);
    await expect(opener).toBeFocused();
    expect(await routes()).toMatchObject([
      { slug: "spring/sale", primary_url: HOME, fallback_url: null, active: true },
    ]);
    const line = row(page, "spring/sale");
    await expect(line).toContainText("go.example.com");
    await expect(line).toContainText(HOME);
    await expect(line).toContainText("Active");
    await opener.click();
    await expect(sheet.getByLabel("Slug *")).toHaveValue("");
    await expect(sheet.getByRole("combobox", { name: "Domain *" })).toContainText("Choose a domain");
    await sheet.getByRole("button", { name: "Cancel" }).click();

    await line.getByRole("button", { name: "Edit Route" }).click();
    const editor = page.getByRole("dialog", { name: "Edit Route" });
    await expect(editor.getByLabel("Slug *")).toHaveValue("spring/sale");
    await editor.getByLabel("Slug *").fill("__root__");
    await editor.getByLabel("Fallback URL").fill("https://backup.example.com");
    await editor.getByRole("checkbox", { name: "Active" }).uncheck();
    await editor.getByRole("button", { name: "Update route" }).click();
    await expect(toast(page, "Route updated successfully")).toBeVisible();
    await expect(row(page, "__root__")).toContainText("Inactive");
    expect(await routes()).toMatchObject([
      { slug: "__root__", fallback_url: "https://backup.example.com", active: false },
    ]);

    await row(page, "__root__").getByRole("button", { name: "Delete Route" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete this route?" });
    await expect(dialog).toContainText("https://go.example.com/ will be deleted.");
    await dialog.getByRole("button", { name: "Delete route" }).click();
    await expect(toast(page, "Route deleted successfully")).toBeVisible();
    await expect(page.getByText("No routes found. Create your first route to get started.")).toBeVisible();
    expect(await routes()).toEqual([]);
    await expect(page.getByRole("tabpanel").locator(":focus")).toHaveCount(1);
  });

  // spec 5.19, 5.20
  test("invalid URLs are rejected in SPEC's words, when creating and editing", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await open(page, "?tab=routes");
    for (const [opener, name] of [
      [page.getByRole("button", { name: "New Route" }), "New Route"],
      [row(page, "spring").getByRole("button", { name: "Edit Route" }), "Edit Route"],
    ] as const) {
      await opener.click();
      const sheet = page.getByRole("dialog", { name });
      const save = sheet.getByRole("button", { name: name === "New Route" ? "Create route" : "Update route" });
      if (name === "New Route") await chooseDomain(page, sheet, "go.example.com");
      await sheet.getByLabel("Slug *").fill("changed");
      for (const wrong of [
        "example.com",
        "javascript:alert(1)",
        "//example.com",
        "ftp://example.com",
        "../x",
        "http:/x",
      ]) {
        await sheet.getByLabel("Primary URL *").fill(wrong);
        await save.click();
        await expect(sheet.getByText("Primary URL must start with http:// or https://")).toBeVisible();
        await expect(sheet.getByLabel("Primary URL *")).toBeFocused();
      }
      await sheet.getByLabel("Primary URL *").fill(HOME);
      await expect(sheet.getByText("Primary URL must start with http:// or https://")).toHaveCount(0);
      await sheet.getByLabel("Fallback URL").fill("backup.example.com");
      await save.click();
      await expect(sheet.getByText("Fallback URL must start with http:// or https://")).toBeVisible();
      await sheet.getByLabel("Fallback URL").fill(`https://example.com/${"x".repeat(2000)}`);
      await expect(sheet.getByText("URLs can have at most 2,000 characters.")).toBeVisible();
      await sheet.getByLabel("Slug *").fill("s".repeat(501));
      await save.click();
      await expect(sheet.getByText("Slugs can have at most 500 characters.")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(sheet).toHaveCount(0);
      await expect(opener).toBeFocused();
    }
    expect(await routes()).toMatchObject([{ slug: "spring", primary_url: HOME }]);
  });

  test("a slug in use is rejected, and the sheet keeps its input", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await open(page, `?tab=routes&domain=${domain}`);
    await page.getByRole("button", { name: "New Route" }).click();
    const sheet = page.getByRole("dialog", { name: "New Route" });
    // Filtered by one domain, a new route preselects it.
    await expect(sheet.getByRole("combobox")).toHaveText("go.example.com");
    await sheet.getByLabel("Slug *").fill("/spring");
    await sheet.getByLabel("Primary URL *").fill(HOME);
    allowed.push(/status of 409/);
    await sheet.getByRole("button", { name: "Create route" }).click();
    await expect(failure(page, "Failed to add route")).toContainText("This domain already has a route with this slug.");
    await failure(page, "Failed to add route").getByRole("button", { name: "Dismiss" }).click();
    await expect(sheet.getByLabel("Slug *")).toHaveValue("/spring");
  });

  // spec 4.8.3
  test("only active domains can be selected", async ({ page }) => {
    await newDomain("on.example.com");
    const off = await newDomain("off.example.com");
    await newRoute(off, "spring");
    await client.from("domains").update({ status: "inactive" }).eq("id", off);
    await open(page, "?tab=routes");
    await page.getByRole("button", { name: "New Route" }).click();
    const sheet = page.getByRole("dialog", { name: "New Route" });
    await sheet.getByRole("combobox").click();
    await expect(page.getByRole("option")).toHaveText(["on.example.com"]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(sheet).toHaveCount(0);

    await row(page, "spring").getByRole("button", { name: "Edit Route" }).click();
    const editor = page.getByRole("dialog", { name: "Edit Route" });
    await expect(
      editor.getByText("off.example.com is inactive. Activate it first, or choose another domain."),
    ).toBeVisible();
    await expect(editor.getByRole("button", { name: "Update route" })).toBeDisabled();
    await chooseDomain(page, editor, "on.example.com");
    await editor.getByRole("button", { name: "Update route" }).click();
    await expect(row(page, "spring")).toContainText("on.example.com");
  });

  // spec 2.11.4, 2.11.9
  test("the filters are in the address and can be cleared when nothing matches", async ({ page }) => {
    const spring = await newDomain("spring.example.com");
    const summer = await newDomain("summer.example.com");
    await newRoute(spring, "one");
    await newRoute(summer, "two");
    await newRoute(summer, "three");
    await open(page, "?tab=routes");
    const filter = page.getByRole("combobox");
    await expect(filter).toHaveText("All domains");
    await filter.click();
    await page.getByRole("option", { name: "summer.example.com" }).click();
    await expect(page).toHaveURL(new RegExp(`domain=${summer}`));
    await expect(slugs(page)).toHaveText(["three", "two"]);
    await page.reload();
    await expect(slugs(page)).toHaveText(["three", "two"]);
    await expect(filter).toHaveText("summer.example.com");

    const search = page.getByRole("searchbox", { name: "Search routes" });
    await search.fill("two");
    await expect(slugs(page)).toHaveText(["two"]);
    await expect(page).toHaveURL(/q=two/);
    await search.fill("nothing like it");
    await expect(page.getByText("No route matches these filters.")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(slugs(page)).toHaveText(["three", "two", "one"]);
    await expect(filter).toHaveText("All domains");

    await tab(page, "Domains").click();
    await row(page, "spring.example.com").getByRole("button", { name: "1 route on" }).click();
    await expect(slugs(page)).toHaveText(["one"]);
    await page.goBack();
    await expect(tab(page, "Domains")).toHaveAttribute("aria-selected", "true");
  });

  // spec 2.11.11, 8.32, 9.24, 9.25
  test("Copy URL copies the public URL, which for __root__ is the domain itself", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring/sale");
    await newRoute(domain, "__root__");
    await open(page, "?tab=routes");
    for (const [slug, url] of [
      ["spring/sale", "https://go.example.com/spring/sale"],
      ["__root__", "https://go.example.com/"],
    ] as const) {
      await row(page, slug).getByRole("button", { name: "Copy URL" }).click();
      await expect(
        toast(page, "URL copied to clipboard").filter({ has: page.getByText(url, { exact: true }) }),
      ).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    }
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await row(page, "__root__").getByRole("button", { name: "Copy URL" }).click();
    await expect(failure(page, "Failed to copy to clipboard")).toBeVisible();
  });

  test("a thousand routes scroll with only the nearby rows in the DOM", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "x".repeat(500), { primary_url: `https://example.com/${"y".repeat(1980)}` });
    const many = Array.from({ length: 999 }, (_none, index) => ({
      domain_id: domain,
      slug: `route-${index}`,
      primary_url: HOME,
    }));
    const { error } = await client.from("routes").insert(many);
    expect(error).toBeNull();
    await open(page, "?tab=routes");
    await expect(tab(page, "Routes")).toHaveText("Routes1000");
    await expect(page.getByRole("table", { name: "Routes" })).toHaveAttribute("aria-rowcount", "1001");
    expect(await page.getByRole("row").count()).toBeLessThan(150);
    await page.keyboard.press("End");
    await expect(row(page, "x".repeat(500))).toBeInViewport();
    expect(await page.getByRole("row").count()).toBeLessThan(150);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.getByRole("searchbox").fill("route-512");
    await expect(slugs(page)).toHaveText(["route-512"]);
  });

  test("each route shows its health, with the reason in a tooltip, and its counts", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    const ids = [
      await newRoute(domain, "down"),
      await newRoute(domain, "up"),
      await newRoute(domain, "odd"),
      await newRoute(domain, "plain"),
    ];
    await changeState(page, (state) => ({
      ...state,
      health: [
        { routeId: ids[0]!, state: "down", checkedAt: new Date().toISOString(), reason: "It returned 503." },
        { routeId: ids[1]!, state: "up", checkedAt: new Date().toISOString(), reason: null },
        { routeId: ids[2]!, state: "unknown", checkedAt: null, reason: "Internal addresses are not checked." },
      ],
      counts: [{ routeId: ids[1]!, today: 12, last7Days: 3456 }],
    }));
    await open(page, "?tab=routes");
    await expect(row(page, "down").getByText("Down", { exact: true })).toBeVisible();
    await row(page, "down").getByText("Down", { exact: true }).hover();
    await expect(page.locator("[popover]")).toHaveText(
      "The primary URL isn't responding, so visitors are redirected to the fallback. It returned 503. Checked just now.",
    );
    await expect(row(page, "up").getByText("Up", { exact: true })).toBeVisible();
    await row(page, "odd").getByText("Unknown", { exact: true }).hover();
    await expect(page.locator("[popover]")).toHaveText(/Internal addresses are not checked\./);
    await expect(row(page, "up").getByRole("cell")).toContainText([
      "go.example.com",
      "up",
      HOME,
      "Active",
      "12",
      "3,456",
    ]);
    await expect(row(page, "plain").getByText(/^(Up|Down|Unknown)$/)).toHaveCount(0);
  });
});

test.describe("publishing", () => {
  // spec 2.11.1, 4.9.1, 4.9.2, 4.9.5, 8.33, 9.24
  test("pending changes are listed and published, take effect for visitors, and then none are pending", async ({
    page,
  }) => {
    const domain = await newDomain("go.example.com");
    const kept = await newRoute(domain, "kept");
    await newRoute(domain, "lost");
    await publishNow();
    await client.from("routes").update({ primary_url: "https://new.example.com/" }).eq("id", kept);
    await client.from("routes").delete().eq("slug", "lost");
    await newRoute(domain, "__root__");
    await open(page);
    const publish = page.getByRole("button", { name: "Publish Config" });
    const badge = page.getByRole("button", { name: "3 pending changes" });
    await badge.click();
    const sheet = page.getByRole("dialog", { name: "Pending changes" });
    await expect(sheet.getByRole("listitem")).toHaveCount(3);
    const change = (kind: string) => sheet.getByRole("listitem").filter({ hasText: kind });
    await expect(change("Added")).toContainText(`https://go.example.com/${HOME}`);
    await expect(change("Changed")).toContainText("https://go.example.com/kept");
    await expect(change("Changed")).toContainText(`${HOME}becomeshttps://new.example.com/`);
    await expect(change("Removed")).toContainText("https://go.example.com/lost");
    await page.keyboard.press("Escape");
    await expect(badge).toBeFocused();

    expect(await isHighlighted(publish)).toBe(true);
    const calls = countCalls(page, "cloak-publisher");
    await publish.dblclick();
    await expect(toast(page, /Published version \d+ with 2 routes\./)).toHaveCount(1);
    await expect(badge).toHaveCount(0);
    await expect.poll(() => isHighlighted(publish)).toBe(false);
    await expect(page.getByText("Last published Just now")).toBeVisible();
    expect(calls.count).toBe(1);
    expect(await visit("go.example.com", "/kept")).toBe("https://new.example.com/");
    expect(await visit("go.example.com", "/")).toBe(HOME);
    expect(await visit("go.example.com", "/lost")).toBe(404);
  });

  // spec 4.9.1
  test("each change raises the pending count by one, even if visitors see no difference", async ({ page }) => {
    await open(page);
    await expect(page.getByText(/pending change/)).toHaveCount(0);
    const domain = await newDomain("go.example.com");
    await page.reload();
    await newRoute(domain, "spring");
    await tab(page, "Routes").click();
    await row(page, "spring").getByRole("button", { name: "Delete Route" }).waitFor();
    await expect(page.getByRole("button", { name: "2 pending changes" })).toBeVisible();
    await row(page, "spring").getByRole("button", { name: "Delete Route" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete route" }).click();
    await page.getByRole("button", { name: "3 pending changes" }).click();
    const sheet = page.getByRole("dialog", { name: "Pending changes" });
    await expect(sheet.getByText("3 changes are pending, but visitors won't see a difference.")).toBeVisible();
    await sheet.getByRole("button", { name: "Publish Config" }).click();
    await expect(sheet.getByText("No pending changes. The published version matches your saved routes.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByText(/pending change/)).toHaveCount(0);
  });

  test("another operator's changes appear when the tab regains focus", async ({ page }) => {
    await open(page);
    await expect(page.getByText("No domains configured yet.")).toBeVisible();
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await focusTabUntilVisible(page, page.getByRole("button", { name: "2 pending changes" }));
    await expect(row(page, "go.example.com")).toBeVisible();
  });

  // spec 2.11.2, 9.22
  test("the time of the last publish is shown in SPEC's words", async ({ page }) => {
    let ago: number | null = null;
    await changeState(page, (state) => ({
      ...state,
      lastPublishedAt: ago === null ? null : new Date(Date.now() - ago * 60_000).toISOString(),
    }));
    for (const [minutes, words] of [
      [null, "Never"],
      [0, "Just now"],
      [1, "1m ago"],
      [59.5, "59m ago"],
      [60, "1h ago"],
      [1439.5, "23h ago"],
      [1440, "1d ago"],
    ] as const) {
      ago = minutes;
      await open(page);
      await expect(page.getByText(`Last published ${words}`, { exact: true })).toBeVisible();
    }
  });

  // spec 4.9.3
  test("an earlier version can be published again after confirmation, and stays until the next change", async ({
    page,
  }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "first");
    await publishNow();
    const first = (await readState()).versions[0]!.version;
    await client.from("routes").delete().eq("slug", "first");
    await newRoute(domain, "second");
    await publishNow();
    expect(await visit("go.example.com", "/first")).toBe(404);
    await open(page);
    await page.getByRole("switch", { name: "Auto-publish" }).check();
    await page.getByRole("button", { name: "Published versions" }).click();
    const sheet = page.getByRole("dialog", { name: "Published versions" });
    await expect(sheet.getByRole("listitem").first()).toContainText("Current");
    expect(await sheet.getByRole("listitem").count()).toBeLessThanOrEqual(10);
    const old = sheet.getByRole("listitem").filter({ hasText: `Version ${first}` });
    await expect(old).toContainText("1 route");
    await expect(old).toContainText(EMAIL);
    await old.getByRole("button", { name: "Publish again" }).click();
    const question = page.getByRole("alertdialog", { name: `Publish version ${first} again?` });
    await question.getByRole("button", { name: "Keep current" }).click();
    await expect(question).toHaveCount(0);
    await old.getByRole("button", { name: "Publish again" }).click();
    await question.getByRole("button", { name: "Publish again" }).click();
    await expect(toast(page, new RegExp(`from version ${first}`))).toBeVisible();
    await expect(sheet.getByRole("listitem").first()).toContainText(`Version ${first + 2}Current`);
    expect(await visit("go.example.com", "/first")).toBe(HOME);
    expect((await routes()).map(({ slug }) => slug)).toEqual(["second"]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "2 pending changes" }).click();
    const pending = page.getByRole("dialog", { name: "Pending changes" });
    await expect(pending).toContainText("Auto-publish waits for the next change");
    await page.keyboard.press("Escape");
    await expect(pending).toHaveCount(0);
    // Leaving the screen publishes what auto-publish still waits for.
    const calls = countCalls(page, "cloak-publisher");
    const settings = page.getByRole("complementary").getByRole("link", { name: "Settings" });
    await settings.click();
    await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
    expect(calls.count).toBe(0);
    await newRoute(domain, "third");
    await page.goBack();
    await focusTabUntilVisible(page, page.getByRole("button", { name: "3 pending changes" }));
    await settings.click();
    await expect.poll(() => visit("go.example.com", "/third")).toBe(HOME);
  });

  // spec 8.19
  test("each kind of failed publish shows its own message", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await open(page);
    const publish = page.getByRole("button", { name: "Publish Config" });
    const failsWith = async (text: string, fulfilled: Fulfilled) => {
      await fulfillWith(page, "cloak-publisher", fulfilled);
      await publish.click();
      const alert = page.getByRole("alert").filter({ hasText: text });
      await expect(alert).toBeVisible();
      await alert.getByRole("button", { name: "Dismiss" }).click();
      await expect(publish).toBeEnabled();
    };
    allowed.push(/status of 500|net::ERR_FAILED/);
    await failsWith("Publish failed: The disk of the redirector is full.", {
      json: { success: false, message: null, error: "The disk of the redirector is full." },
    });
    await failsWith("Publish failed: Try later.", { json: { success: false, message: "Try later.", error: null } });
    await failsWith("Failed to publish config: The server broke.", {
      status: 500,
      json: { error: "The server broke." },
    });
    await failsWith("Failed to publish config: The server could not be reached.", "abort");
    await failsWith("Failed to publish configuration", { json: { success: false, message: null, error: null } });
    await expect(page.getByRole("button", { name: "2 pending changes" })).toBeVisible();
  });

  // spec 4.9.2, 4.9.4
  test("the button is disabled while a publish runs", async ({ page }) => {
    await open(page);
    const gate = Promise.withResolvers<void>();
    await page.route("**/functions/v1/cloak-publisher", async (route) => {
      await gate.promise;
      await route.continue();
    });
    const publish = page.getByRole("button", { name: "Publish Config" });
    await publish.click();
    await expect(publish).toBeDisabled();
    gate.resolve();
    await expect(publish).toBeEnabled();
  });
});

test.describe("the environment", () => {
  // spec 2.11.3, 4.9.4, 8.17
  test("without a token, the alert names it and where to set it, and publishing is disabled", async ({ page }) => {
    const blocked = await startInstalledClipmill(path.join(folder, "blocked"), {
      VPS_SYNC_URL: `http://127.0.0.1:${redirectorPort}/`,
    });
    try {
      await page.goto(`${blocked.url}/cloak-manager`);
      await fillSignIn(page);
      const alert = page.getByRole("alert").filter({ hasText: "Missing environment variables:" });
      await expect(alert).toContainText("Missing environment variables: VPS_PUBLISH_TOKEN");
      await expect(alert).toContainText("Set them in the server environment.");
      await expect(alert).toContainText("The publish token must match the one stored on the VPS.");
      await expect(page.getByRole("button", { name: "Publish Config" })).toBeDisabled();
    } finally {
      // An open page would keep calling the stopped server.
      await page.goto("about:blank");
      await blocked.stop();
    }
  });

  // spec 2.11.3, 4.9.4, 8.18
  test("a wrong sync URL is reported with the expected address", async ({ page }) => {
    const expectedUrl = "http://127.0.0.1:8081/_clipmill/publish";
    await fulfillWith(page, "cloak-env-validator", {
      json: { isValid: false, missing: [], wrongUrl: true, expectedUrl, error: null },
    });
    await open(page);
    const alert = page.getByRole("alert").filter({ hasText: "The sync URL is wrong." });
    await expect(alert).toContainText(expectedUrl);
    await expect(alert).not.toContainText("Missing environment variables:");
    await expect(page.getByRole("button", { name: "Publish Config" })).toBeDisabled();
    await page.unroute("**/functions/v1/cloak-env-validator");
    await alert.getByRole("button", { name: "Check again" }).click();
    await expect(alert).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Publish Config" })).toBeEnabled();
  });

  for (const [marker, fulfilled] of [
    ["VALIDATION_FAILED", { status: 500, json: { error: "The database is gone." } }],
    ["CONNECTION_FAILED", "abort"],
    ["VALIDATION_ERROR", { body: "<html>", contentType: "text/html" }],
    ["VALIDATION_ERROR", { body: "{", contentType: "application/json" }],
    ["VALIDATION_ERROR", { json: { isValid: "yes" } }],
  ] as const) {
    // spec 4.9.4, 8.16
    test(`a check that ${describeFulfilled(fulfilled)} shows ${marker}`, async ({ page }) => {
      allowed.push(/status of 500|net::ERR_FAILED/);
      await fulfillWith(page, "cloak-env-validator", fulfilled);
      await open(page);
      await expect(
        page.getByRole("alert").filter({ hasText: `Missing environment variables: ${marker}` }),
      ).toBeVisible();
      await expect(page.getByRole("button", { name: "Publish Config" })).toBeDisabled();
    });
  }
});

test.describe("auto-publish", () => {
  // spec 3.10, 4.9.3, 9.21
  test("publishes silently two seconds after a change, and the browser remembers the switch", async ({ page }) => {
    await open(page);
    const calls = countCalls(page, "cloak-publisher");
    await page.getByRole("switch", { name: "Auto-publish" }).check();
    await page.clock.install();
    await page.reload();
    await expect(page.getByRole("switch", { name: "Auto-publish" })).toBeChecked();
    await expect(page.getByText("No domains configured yet.")).toBeVisible();
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    const badge = page.getByRole("button", { name: "2 pending changes" });
    const atBadge = await runUntilVisible(page, badge);
    await page.clock.runFor(1_990 - atBadge);
    expect(calls.count).toBe(0);
    await page.clock.runFor(10 + atBadge);
    await expect.poll(() => calls.count).toBe(1);
    await page.clock.resume();
    await expect(badge).toHaveCount(0);
    expect(await visit("go.example.com", "/spring")).toBe(HOME);
    await expect(page.getByRole("region", { name: "Notifications" }).locator("p")).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem("clipmill-publish-state"))).toContain('"autoPublish":true');
  });

  // spec 8.19
  test("fails silently and does not retry before the next change", async ({ page }) => {
    await fulfillWith(page, "cloak-publisher", { json: { success: false, message: null, error: "No." } });
    await open(page);
    const calls = countCalls(page, "cloak-publisher");
    await page.clock.install();
    await page.reload();
    await page.getByRole("switch", { name: "Auto-publish" }).check();
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await focusTabUntilVisible(page, page.getByRole("button", { name: "2 pending changes" }));
    await page.clock.runFor(2_100);
    await expect.poll(() => calls.count).toBe(1);
    await page.clock.runFor(60_000);
    expect(calls.count).toBe(1);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await newRoute(domain, "summer");
    await focusTabUntilVisible(page, page.getByRole("button", { name: "3 pending changes" }));
    await page.clock.runFor(2_100);
    await expect.poll(() => calls.count).toBe(2);
  });

  test("publishes even if the operator leaves the screen immediately", async ({ page }) => {
    await open(page);
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    await page.clock.install();
    await page.reload();
    await expect(page.getByRole("button", { name: "2 pending changes" })).toBeVisible();
    const calls = countCalls(page, "cloak-publisher");
    await page.getByRole("switch", { name: "Auto-publish" }).check();
    await page.getByRole("complementary").getByRole("link", { name: "Settings" }).click();
    await expect.poll(() => visit("go.example.com", "/spring")).toBe(HOME);
    expect(calls.count).toBe(1);
  });
});

test.describe("when something goes wrong", () => {
  // spec 8.1, 8.20, 8.21
  test("each rejected call shows a toast, and the list stays unchanged", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    allowed.push(/status of 500/);
    await open(page);
    const breaks = (table: string) =>
      page.route(`**/rest/v1/${table}*`, (route) =>
        route.request().method() === "GET"
          ? route.continue()
          : route.fulfill({ status: 500, json: { code: "XX000", message: "The database is gone." } }),
      );
    await breaks("domains");
    await breaks("routes");
    const fails = async (title: string) => {
      await expect(failure(page, title)).toContainText("The database is gone.");
      await failure(page, title).getByRole("button", { name: "Dismiss" }).click();
    };
    await page.getByRole("button", { name: "Add Domain" }).click();
    await page.getByLabel("Domain *").fill("two.example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Add Domain" }).click();
    await fails("Failed to add domain");
    await page.keyboard.press("Escape");
    await chooseStatus(page, "go.example.com", "Inactive");
    await fails("Failed to update domain status");
    await expect(statusOf(page, "go.example.com")).toHaveText("Active");
    await row(page, "go.example.com").getByRole("button", { name: "Delete Domain" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete domain" }).click();
    await fails("Failed to delete domain");
    await expect(row(page, "go.example.com")).toBeVisible();
    await tab(page, "Routes").click();
    await row(page, "spring").getByRole("button", { name: "Edit Route" }).click();
    await page.getByRole("button", { name: "Update route" }).click();
    await fails("Failed to update route");
    await page.keyboard.press("Escape");
    await row(page, "spring").getByRole("button", { name: "Delete Route" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete route" }).click();
    await fails("Failed to delete route");
    await page.getByRole("button", { name: "New Route" }).click();
    await chooseDomain(page, page.getByRole("dialog"), "go.example.com");
    await page.getByLabel("Slug *").fill("summer");
    await page.getByLabel("Primary URL *").fill(HOME);
    await page.getByRole("button", { name: "Create route" }).click();
    await fails("Failed to add route");
  });

  // spec 8.20, 8.21
  test("a list that cannot be loaded shows an error with Try again", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    await newRoute(domain, "spring");
    allowed.push(/status of 400/);
    for (const [table, address, title] of [
      ["domains", "", "Failed to load domains"],
      ["routes", "?tab=routes", "Failed to load routes"],
    ] as const) {
      await page.route(`**/rest/v1/${table}*`, (route) =>
        route.fulfill({ status: 400, json: { code: "PGRST100", message: "It cannot be read." } }),
      );
      await open(page, address);
      await expect(page.getByRole("tabpanel").getByRole("alert")).toContainText(title);
      await expect(failure(page.getByRole("region", { name: "Notifications" }), title)).toBeVisible();
      await page.unroute(`**/rest/v1/${table}*`);
      await page.getByRole("button", { name: "Try again" }).click();
      await expect(row(page, "go.example.com")).toBeVisible();
    }
  });

  test("skeleton rows are shown while the list loads", async ({ page }) => {
    const gate = Promise.withResolvers<void>();
    await page.route("**/rest/v1/domains*", async (route) => {
      await gate.promise;
      await route.continue();
    });
    await open(page);
    await expect(page.getByRole("table", { name: "Loading domains" })).toHaveAttribute("aria-busy", "true");
    gate.resolve();
    await expect(page.getByText("No domains configured yet.")).toBeVisible();
  });

  test("offline, every action shows an error, and the list reloads once online", async ({ page, context }) => {
    await newDomain("go.example.com");
    await open(page);
    await expect(row(page, "go.example.com")).toBeVisible();
    // Wait until prefetching is done.
    await page.waitForLoadState("networkidle");
    allowed.push(/net::ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await row(page, "go.example.com").getByRole("button", { name: "Delete Domain" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete domain" }).click();
    await expect(failure(page, "Failed to delete domain")).toContainText("The server could not be reached.");
    await expect(row(page, "go.example.com")).toBeVisible();
    await newDomain("two.example.com");
    await context.setOffline(false);
    await expect(row(page, "two.example.com")).toBeVisible();
  });

  test("an item that another operator deleted is reported in one sentence", async ({ page }) => {
    const domain = await newDomain("go.example.com");
    const other = await newDomain("other.example.com");
    for (const slug of ["edited", "deleted"]) await newRoute(domain, slug);
    await open(page, "?tab=routes");
    await row(page, "edited").getByRole("button", { name: "Edit Route" }).click();
    await client.from("routes").delete().eq("slug", "edited");
    await page.getByRole("button", { name: "Update route" }).click();
    await expect(failure(page, "Failed to update route")).toContainText(GONE_ROUTE);
    await page.keyboard.press("Escape");
    await expect(row(page, "edited")).toHaveCount(0);

    await row(page, "deleted").getByRole("button", { name: "Delete Route" }).click();
    await client.from("routes").delete().eq("slug", "deleted");
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete route" }).click();
    await expect(failure(page, "Failed to delete route")).toContainText(GONE_ROUTE);
    await expect(row(page, "deleted")).toHaveCount(0);

    await tab(page, "Domains").click();
    await row(page, "go.example.com").getByRole("button", { name: "Delete Domain" }).click();
    await client.from("domains").delete().eq("id", domain);
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete domain" }).click();
    await expect(failure(page, "Failed to delete domain")).toContainText(GONE_DOMAIN);
    await expect(row(page, "go.example.com")).toHaveCount(0);

    // Earlier, the live list would remove the row with its open menu.
    await page.route("**/rest/v1/domains?*", async (route) => {
      if (route.request().method() === "PATCH") await client.from("domains").delete().eq("id", other);
      await route.continue();
    });
    await statusOf(page, "other.example.com").click();
    await page.getByRole("option", { name: "Inactive" }).click();
    await expect(failure(page, "Failed to update domain status")).toContainText(GONE_DOMAIN);
    await expect(row(page, "other.example.com")).toHaveCount(0);
  });
});

test.describe("layout and accessibility", () => {
  // spec 2.11.4
  test("the arrow keys switch tabs", async ({ page }) => {
    await open(page);
    await tab(page, "Domains").focus();
    await page.keyboard.press("ArrowRight");
    await expect(tab(page, "Routes")).toBeFocused();
    await expect(tab(page, "Routes")).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowRight");
    await expect(tab(page, "Domains")).toBeFocused();
    await page.keyboard.press("End");
    await expect(page).toHaveURL(/tab=routes/);
  });

  test("on a phone, rows stack, actions are in a menu, and nothing overflows", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const domain = await newDomain(`${"long-".repeat(10)}name.${"sub-".repeat(10)}domain.example.com`, "Notes");
    await newRoute(domain, "spring", { primary_url: `https://example.com/${"x".repeat(1900)}` });
    for (const address of ["", "?tab=routes"]) {
      await open(page, address);
      await expect(page.getByRole("row").nth(1)).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    }
    await page.getByRole("button", { name: /Actions for/ }).click();
    await page.getByRole("menuitem", { name: "Edit Route" }).click();
    await expect(page.getByRole("dialog", { name: "Edit Route" })).toBeVisible();
    expect((await page.getByRole("dialog").boundingBox())?.width).toBe(390);
  });

  for (const width of [1440, 390]) {
    test(`axe finds no issues in both themes at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      const domain = await newDomain("go.example.com", "Ask Dana first");
      const off = await newDomain("off.example.com");
      await newRoute(domain, "spring");
      const checked = await newRoute(domain, "checked", { fallback_url: "https://backup.example.com" });
      await client.from("domains").update({ status: "inactive" }).eq("id", off);
      await changeState(page, (state) => ({
        ...state,
        health: [{ routeId: checked, state: "down", checkedAt: null, reason: "It returned 503." }],
      }));
      await fulfillWith(page, "cloak-env-validator", {
        json: {
          isValid: false,
          missing: ["VPS_SYNC_URL"],
          wrongUrl: true,
          expectedUrl: "http://a.example",
          error: "No.",
        },
      });
      await open(page);
      await expect(row(page, "go.example.com")).toBeVisible();
      await expectNoAxeViolation(page);
      await statusOf(page, "go.example.com").click();
      await expect(page.getByRole("option")).toHaveCount(2);
      // An open listbox is rendered outside the page's landmarks.
      await expectNoAxeViolation(page, ["region"]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Add Domain" }).click();
      await page.getByLabel("Domain *").fill("no domain");
      await page.getByRole("dialog").getByRole("button", { name: "Add Domain" }).click();
      await expect(page.getByText("Invalid domain format")).toBeVisible();
      await expectNoAxeViolation(page);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Delete Domain" }).first().click();
      await expect(page.getByRole("alertdialog")).toBeVisible();
      await expectNoAxeViolation(page);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /pending change/ }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectNoAxeViolation(page);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Published versions" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectNoAxeViolation(page);
      await page.keyboard.press("Escape");
      await tab(page, "Routes").click();
      await expect(row(page, "spring")).toBeVisible();
      await expectNoAxeViolation(page);
      await page.getByRole("button", { name: "New Route" }).click();
      await chooseDomain(page, page.getByRole("dialog"), "go.example.com");
      await page.getByLabel("Slug *").fill("spring");
      await page.getByLabel("Primary URL *").fill(HOME);
      allowed.push(/status of 409/);
      await page.getByRole("button", { name: "Create route" }).click();
      await expect(failure(page, "Failed to add route")).toBeVisible();
      await expectNoAxeViolation(page);
    });
  }
});

type Fulfilled = "abort" | { status?: number; json?: unknown; body?: string; contentType?: string };

function describeFulfilled(fulfilled: Fulfilled): string {
  if (fulfilled === "abort") return "cannot be reached";
  return fulfilled.status
    ? `responds with ${fulfilled.status}`
    : `responds with ${fulfilled.body ?? JSON.stringify(fulfilled.json)}`;
}

async function fulfillWith(page: Page, name: string, fulfilled: Fulfilled): Promise<void> {
  const address = `**/functions/v1/${name}`;
  await page.unroute(address);
  await page.route(address, (route) => (fulfilled === "abort" ? route.abort() : route.fulfill(fulfilled)));
}

async function changeState(page: Page, change: (state: CloakStateResponse) => CloakStateResponse): Promise<void> {
  await page.route("**/functions/v1/cloak-state", async (route) => {
    const response = await route.fetch();
    // The page of an ended test disposes of its responses.
    const state = await response.json().catch(() => null);
    if (state) await route.fulfill({ response, json: change(state as CloakStateResponse) });
  });
}

function countCalls(page: Page, name: string): { count: number } {
  const calls = { count: 0 };
  page.on("request", (request) => {
    if (request.url().endsWith(`/functions/v1/${name}`)) calls.count += 1;
  });
  return calls;
}

async function open(page: Page, address = ""): Promise<void> {
  await page.goto(`${clipmill.url}/cloak-manager${address}`);
  await expect(page.getByRole("heading", { level: 1, name: "Cloak Manager" })).toBeVisible();
}

async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Simulates the operator's return to this tab. */
async function focusTab(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
}

/** Repeats the return, because a read in progress may be older than the change. */
async function focusTabUntilVisible(page: Page, locator: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await focusTab(page);
      return locator.count();
    })
    .toBe(1);
}

/** Advances the stopped clock in small steps. Returns a step's length in milliseconds. */
async function runUntilVisible(page: Page, locator: Locator): Promise<number> {
  const stepMs = 10;
  await expect
    .poll(
      async () => {
        await focusTab(page);
        await page.clock.runFor(stepMs);
        return locator.count();
      },
      { intervals: [50] },
    )
    .toBe(1);
  return stepMs;
}

function tab(page: Page, name: string): Locator {
  return page.getByRole("tab", { name });
}

function row(page: Page, text: string): Locator {
  return page.getByRole("row").filter({ has: page.getByText(text, { exact: true }) });
}

function slugs(page: Page): Locator {
  return page.getByRole("row").locator("[role=cell]:nth-child(2)");
}

function statusOf(page: Page, name: string): Locator {
  return row(page, name).getByRole("combobox");
}

function toast(page: Page, title: string | RegExp): Locator {
  return page.getByRole("status").filter({ hasText: title });
}

function failure(page: Page | Locator, title: string): Locator {
  return page.getByRole("alert").filter({ hasText: title });
}

async function chooseStatus(page: Page, name: string, status: string): Promise<void> {
  await statusOf(page, name).click();
  await page.getByRole("option", { name: status, exact: true }).click();
}

async function chooseDomain(page: Page, sheet: Locator, name: string): Promise<void> {
  await sheet.getByRole("combobox", { name: "Domain *" }).click();
  await page.getByRole("option", { name }).click();
}

async function addDomain(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add Domain" }).click();
  const dialog = page.getByRole("dialog", { name: "Add Domain" });
  await dialog.getByLabel("Domain *").fill(name);
  await dialog.getByRole("button", { name: "Add Domain" }).click();
  await expect(dialog).toHaveCount(0);
}

/** The accent color marks a view's primary action. */
function isHighlighted(button: Locator): Promise<boolean> {
  return button.evaluate((element) => {
    const probe = document.createElement("i");
    probe.style.color = "var(--accent)";
    document.body.append(probe);
    const accent = getComputedStyle(probe).color;
    probe.remove();
    return getComputedStyle(element).backgroundColor === accent;
  });
}

async function expectNoAxeViolation(page: Page, withoutRules: string[] = []): Promise<void> {
  // The search button in the header shows its shortcut next to its name.
  await expectAccessible(page, "", { exclude: "[aria-keyshortcuts]", withoutRules });
}

async function newDomain(name: string, notes: string | null = null): Promise<string> {
  const { data, error } = await client.from("domains").insert({ name, notes }).select("id").single();
  if (error) throw error;
  return data.id;
}

async function newRoute(domainId: string, slug: string, extra: Partial<Route> = {}): Promise<string> {
  const { data, error } = await client
    .from("routes")
    .insert({ domain_id: domainId, slug, primary_url: HOME, ...extra })
    .select("id")
    .single();
  if (error) throw error;
  return data.id;
}

async function domains(): Promise<Domain[]> {
  return (await client.from("domains").select("*")).data as Domain[];
}

async function routes(): Promise<Route[]> {
  return (await client.from("routes").select("*")).data as Route[];
}

/** Acts as another operator. */
async function publishNow(): Promise<void> {
  const { data, error } = await client.functions.invoke<PublishResult>("cloak-publisher", { body: {} });
  if (error) throw error;
  expect(data).toMatchObject({ success: true });
}

async function readState(): Promise<CloakStateResponse> {
  const { data, error } = await client.functions.invoke<CloakStateResponse>("cloak-state", { body: { method: "GET" } });
  if (error) throw error;
  return data!;
}

/** Returns the redirect's target, or the status of another response. */
function visit(host: string, address: string): Promise<string | number> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: "127.0.0.1", port: redirectorPort, path: address, headers: { host } }, (response) => {
        response.resume();
        resolve(response.headers.location ?? response.statusCode ?? 0);
      })
      .on("error", reject);
  });
}
