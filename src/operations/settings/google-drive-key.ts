import type { Context } from "../context.ts";
import { readServiceKey } from "./service-key.ts";

export function readGoogleDriveKey(context: Pick<Context, "db" | "secrets">): Promise<string | null> {
  return readServiceKey(context, "google_drive_key");
}
