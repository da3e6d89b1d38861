import { expect, it, onTestFinished } from "vitest";
import { requestReport } from "#integrations/redirector.ts";
import { writeRouteLines } from "#contract/cloak/published-config.ts";
import { sha256Of } from "#ground/checksum.ts";
import { documentOf, publish, routeOf, startRedirectorProcess, TOKEN, visit } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

/** 100 kills test more moments and take minutes. */
const KILLS = Number(process.env["KILLS"] ?? 4);
/** Enough routes that a publish takes some time. */
const ROUTES = 3_000;

const folder = await makeScratchFolder();
const routesOf = (version: number) =>
  Array.from({ length: ROUTES }, (_, i) => routeOf(i, { primary: `https://target.test/v${version}` }));

it(
  `serves exactly the old or exactly the new version after being killed during a publish, ${KILLS} times`,
  async () => {
    let redirector = await startRedirectorProcess(folder);
    onTestFinished(() => redirector.kill());
    let served = 1;
    const startedMs = performance.now();
    expect((await publish(redirector, documentOf(1, routesOf(1)))).status).toBe(200);
    const publishMs = performance.now() - startedMs;
    let swapped = 0;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const next = served + 1;
      const response = publish(redirector, documentOf(next, routesOf(next))).catch(() => null);
      // Kills range from before the first byte of the publish to after its end.
      const waitMs = (kill / KILLS) * publishMs * 1.2;
      await Promise.race([response, new Promise((resolve) => setTimeout(resolve, waitMs))]);
      await redirector.kill();
      const wasTaken = (await response)?.status === 200;
      redirector = await startRedirectorProcess(folder);
      const { version, digest } = await requestReport({ url: redirector.publishUrl, token: TOKEN }, "2026-01-01");
      // An acknowledged version is served; any other one is served entirely or not at all.
      expect(wasTaken ? [next] : [served, next]).toContain(version);
      expect(digest).toBe(sha256Of(writeRouteLines(routesOf(version))));
      for (const slug of ["slug-0", `slug-${ROUTES - 1}`]) {
        const { location } = await visit(redirector, "shop.test", `/${slug}`);
        expect(location).toBe(`https://target.test/v${version}`);
      }
      swapped += version === next ? 1 : 0;
      served = version;
    }
    expect((await publish(redirector, documentOf(served + 1, routesOf(0)))).status).toBe(200);
    await redirector.stop();
    if (process.env["KILLS"]) console.log(`killed ${KILLS} times; the new version was there ${swapped} times`);
  },
  60_000 + KILLS * 20_000,
);
