import type { Hono } from "hono";
import { z } from "zod";
import { readGoogleDriveKey, saveGoogleDriveKey } from "#operations/settings/google-drive-key.ts";
import { limitBody, parseInput, readJson } from "../read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";

const settingsSchema = z.strictObject({
  method: z.enum(["GET", "POST"]).optional(),
  google_drive_key: z.string().trim().max(500).nullish(),
});

/** The function settings: saves what it is given, and tells of keys only whether they are set. */
export function addSettingsFunction(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/settings", limitBody(1), async (c) => {
    const { method, google_drive_key: key } = parseInput(settingsSchema, await readJson(c));
    // An absent or empty key stays as it is; null removes it.
    if (method !== "GET" && key !== undefined && key !== "") await saveGoogleDriveKey(server, key);
    return c.json({ google_drive_key: { set: (await readGoogleDriveKey(server)) !== null } });
  });
}
