import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { EnvironmentCheck, PublishResult } from "#contract/cloak/cloak.ts";
import { signedInClient } from "#tests/support/servers/client.ts";
import { findFreePort } from "#tests/support/network/free-port.ts";
import { startInstalledClipmill } from "#tests/support/servers/installed-clipmill.ts";
import { startRedirectorProcess, visit } from "#tests/support/twins/redirector.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

const folder = await makeScratchFolder();

it("starts with `clipmill start` without setup, and runs alone from its published file", async () => {
  const dataDir = path.join(folder, "data");
  const port = await findFreePort();
  const clipmill = await startInstalledClipmill(dataDir, { REDIRECTOR_PORT: String(port) });
  onTestFinished(() => clipmill.kill());
  const client = await signedInClient(clipmill.url);
  const check = await client.functions.invoke<EnvironmentCheck>("cloak-env-validator", { body: {} });
  expect(check.data).toEqual({ isValid: true, missing: [], wrongUrl: false, expectedUrl: null, error: null });
  const domain = await client.from("domains").insert({ name: "shop.test" }).select("id").single<{ id: string }>();
  const route = { domain_id: domain.data!.id, slug: "spring", primary_url: "https://target.test/" };
  expect((await client.from("routes").insert(route)).error).toBeNull();
  const published = await client.functions.invoke<PublishResult>("cloak-publisher", { body: {} });
  expect(published.data).toEqual({ success: true, message: "Published version 1 with 1 route.", error: null });
  expect((await visit({ port }, "shop.test", "/spring")).location).toBe("https://target.test/");
  // Two redirectors on one folder would overwrite each other's counts.
  await expect(startRedirectorProcess(dataDir)).rejects.toThrow("is already running on");
  await clipmill.kill();

  const alone = await startRedirectorProcess(dataDir);
  onTestFinished(() => alone.stop());
  expect((await visit(alone, "shop.test", "/spring")).location).toBe("https://target.test/");
});

it("does not run alone without a token or with a short one, and names the setting", async () => {
  for (const [token, sentence] of [
    ["", "Set VPS_PUBLISH_TOKEN to the same token as on Clipmill's server."],
    ["short", "The configuration is invalid: VPS_PUBLISH_TOKEN: must have at least 16 characters."],
  ] as const) {
    await expect(startRedirectorProcess(path.join(folder, "none"), { VPS_PUBLISH_TOKEN: token })).rejects.toThrow(
      sentence,
    );
  }
});
