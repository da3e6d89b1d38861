import type { SourceAccess } from "#contract/sources/source-host.ts";
import type { Context } from "../context.ts";
import { openSharedDropbox } from "../connections/kinds/dropbox.ts";
import { signS3 } from "../connections/kinds/sign-s3.ts";
import { readServiceKey } from "../settings/service-key.ts";

/** Throws ClipmillError "invalid" if a key cannot be decrypted. */
export async function readSourceAccess(
  context: Pick<Context, "db" | "secrets" | "hosts">,
): Promise<Omit<SourceAccess, "get">> {
  const { baseUrls, privateSources } = context.hosts;
  return {
    baseUrls,
    privateSources,
    googleDriveKey: await readServiceKey(context, "google_drive_key"),
    signS3: (request) => signS3(context, request),
    openDropbox: (get) => openSharedDropbox(context, get),
  };
}
