import { type Browser, type BrowserContext, type Page, test as base } from "@playwright/test";

type Shared = { context: BrowserContext; options: string; hasClock: boolean };
type Kept = { browser: Browser; shared: Shared | null };

/**
 * Playwright's `test`, except that the tests of a worker share a browser context while their options are the same. Each
 * gets a new page without the cookies, storage, permissions and routes of earlier tests. Otherwise, each test would
 * start a renderer that loads and compiles Clipmill again, which takes almost half of a short test's CPU time.
 */
export const test = base.extend<{ shared: Shared }, { kept: Kept }>({
  kept: [
    async ({ browser }, use) => {
      const kept: Kept = { browser, shared: null };
      await use(kept);
      await kept.shared?.context.close();
    },
    { scope: "worker" },
  ],
  async shared({ kept, viewport, reducedMotion }, use) {
    const options = JSON.stringify([viewport, reducedMotion]);
    if (kept.shared && (kept.shared.hasClock || kept.shared.options !== options)) {
      await kept.shared.context.close();
      kept.shared = null;
    }
    const shared = kept.shared ?? (await openShared(kept.browser, options));
    kept.shared = shared;
    await use(shared);
  },
  async context({ shared: { context } }, use) {
    const origins = new Set<string>();
    const watch = (page: Page): unknown =>
      page.on("framenavigated", (frame) => {
        if (frame.url().startsWith("http")) origins.add(new URL(frame.url()).origin);
      });
    context.pages().forEach(watch);
    context.on("page", watch);
    await use(context);
    context.off("page", watch);
    await reset(context, origins);
  },
  async page({ context }, use) {
    await use(context.pages()[0]!);
  },
});

async function openShared(browser: Browser, options: string): Promise<Shared> {
  const context = await browser.newContext();
  await context.newPage();
  const shared = { context, options, hasClock: false };
  const install = context.clock.install.bind(context.clock);
  // A controlled clock cannot be removed from a context.
  context.clock.install = (settings) => {
    shared.hasClock = true;
    return install(settings);
  };
  return shared;
}

/** Leaves one new page, which also keeps the renderer running. */
async function reset(context: BrowserContext, origins: Iterable<string>): Promise<void> {
  const page = await context.newPage();
  for (const other of context.pages()) if (other !== page) await other.close();
  const session = await context.newCDPSession(page);
  for (const origin of origins) await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearCookies();
  await context.clearPermissions();
  await context.setOffline(false);
}
