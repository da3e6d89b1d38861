import type { HonoRequest } from "hono";
import { EmbeddedPagesResponse } from "#contract/calls.ts";
import { saveSettingsSchema, testKeySchema, SettingsResponse, TestKeyResponse } from "#contract/settings/settings.ts";
import { readPages, readSettings } from "#operations/settings/read-settings.ts";
import { saveSettings } from "#operations/settings/save-settings.ts";
import { testServiceKey } from "#operations/settings/test-service-key.ts";
import { type CallFunction, defineCall, READ_OR_WRITE } from "../define-call.ts";

export const SETTINGS_FUNCTIONS: CallFunction[] = [
  {
    path: "settings",
    summary: "Reads or saves settings.",
    scope: "settings",
    ...READ_OR_WRITE,
    calls: [
      defineCall({
        name: "read",
        summary: "Returns the settings. For keys, returns only whether they are set.",
        when: { method: "GET" },
        isRead: true,
        answers: SettingsResponse,
        run: (context) => readSettings(context),
      }),
      defineCall({
        name: "save",
        summary:
          "Saves and returns the settings. Absent fields and empty keys keep their values; null removes them. A new address of a model server removes its key.",
        when: { method: [undefined, "POST"] },
        takes: saveSettingsSchema,
        answers: SettingsResponse,
        run: async (context, request) => {
          const ownOrigins = [...context.ownOrigins, ...originsOf(context.c.req)];
          await saveSettings(context, request, { ...context, ownOrigins });
          return await readSettings(context);
        },
      }),
    ],
  },
  {
    path: "test-key",
    summary: "Tests a key.",
    scope: "settings",
    calls: [
      defineCall({
        name: "test",
        summary: "Tests a key, or the saved one, with its service.",
        when: {},
        isRead: true,
        takes: testKeySchema,
        answers: TestKeyResponse,
        // A rejected key has status 200 and `isValid` false.
        run: testServiceKey,
      }),
    ],
  },
  {
    path: "embedded-pages",
    summary: "Reads the addresses of embedded pages.",
    scope: "settings",
    unknown: "This function is read-only. Use the function settings to change embedded pages.",
    calls: [
      defineCall({
        name: "read",
        summary: "Returns the addresses of the Batch Scheduler and Warmup Robot pages; null if not set.",
        when: { method: "GET" },
        isRead: true,
        answers: EmbeddedPagesResponse,
        run: async (context) => ({ data: await readPages(context.db, context) }),
      }),
    ],
  },
];

/** The request's possible origins: a proxy may hide host or scheme. */
function originsOf(request: HonoRequest): string[] {
  const host = request.header("host");
  const byName = host === undefined ? [] : [`http://${host}`, `https://${host}`];
  return [...byName, request.header("origin")].flatMap((address) => (address && URL.parse(address)?.origin) ?? []);
}
