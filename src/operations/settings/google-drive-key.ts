import type { Context } from "../context.ts";
import { readServiceKey } from "./service-key.ts";

/** Returns the decrypted key, or null if none is saved. Throws ClipmillError "invalid" if it cannot be decrypted. */
export function readGoogleDriveKey(context: Pick<Context, "db" | "secrets">): Promise<string | null> {
  return readServiceKey(context, "google_drive_key");
}
