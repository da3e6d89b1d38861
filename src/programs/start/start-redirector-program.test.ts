import path from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { readConfig } from "../../config.ts";
import { startBuiltInRedirector } from "./start-redirector-program.ts";

const folder = await makeScratchFolder();
const log = pino({ level: "silent" });
const ELSEWHERE = "https://redirector.test/_clipmill/publish";
const TOKEN = "a token of the operator's";

async function settingsOf(environment: Record<string, string>) {
  const config = readConfig({ REDIRECTOR_PORT: "0", DATA_DIR: path.join(folder, "data"), ...environment });
  const { redirector, settings } = await startBuiltInRedirector(config, "a secret", log);
  await redirector.close();
  expect(settings.builtInUrl).toBe(redirector.publishUrl);
  return settings;
}

it("publishes to the built-in redirector unless another is configured, whose token cannot be derived", async () => {
  const own = await settingsOf({});
  expect(own).toMatchObject({ syncUrl: own.builtInUrl, token: expect.stringMatching(/^[\w-]{43}$/) });
  expect((await settingsOf({})).token).toBe(own.token);
  const given = await settingsOf({ VPS_PUBLISH_TOKEN: TOKEN });
  expect(given).toMatchObject({ syncUrl: given.builtInUrl, token: TOKEN });
  expect(await settingsOf({ VPS_SYNC_URL: ELSEWHERE })).toMatchObject({ syncUrl: ELSEWHERE, token: null });
  const both = { VPS_SYNC_URL: ELSEWHERE, VPS_PUBLISH_TOKEN: TOKEN };
  expect(await settingsOf(both)).toMatchObject({ syncUrl: ELSEWHERE, token: TOKEN });
});
