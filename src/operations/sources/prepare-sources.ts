import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { OPTIONAL_HOSTS } from "#contract/sources/link-hosts.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import type { ListedFile, PreflightResponse } from "#contract/sources/preflight.ts";
import type { SourceAccess } from "#contract/sources/source-host.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import { openSharedDropbox } from "../connections/kinds/dropbox.ts";
import { signS3 } from "../connections/kinds/s3.ts";
import type { Context } from "../context.ts";
import { canUseModel } from "../settings/model-access.ts";
import { readServiceKey } from "../settings/service-key.ts";

/**
 * Fetches and probes the videos of an owner's open form, in order and at low priority, so that its job starts with
 * them. A worker's function, passed to the server where both start. A later call of the owner replaces the list;
 * downloads still in it continue. Resolves when the list is done or `signal` aborts. Ignores failures: the job fetches
 * again. Does nothing while prefetch_sources is off.
 */
export type PrefetchSources = (links: readonly string[], ownerId: string, signal: AbortSignal) => Promise<void>;

/**
 * Checks links before a job starts. Returns within seconds: unfinished checks are "pending", continue for a while and
 * are collected by the next call. Throws ClipmillError "too_many" for an account with too many of them, "cancelled" on
 * abort.
 */
export type Preflight = (
  links: readonly string[],
  caller: { accountId: string; signal: AbortSignal },
) => Promise<PreflightResponse>;

export async function readAcceptedSources({ db, hosts }: Pick<Context, "db" | "hosts">): Promise<AcceptedSources> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", "source_hosts").executeTakeFirst();
  const saved = row ? (JSON.parse(row.value) as string[]) : [];
  // An older version may have saved a host that no longer exists.
  return {
    hosts: OPTIONAL_HOSTS.filter((name) => saved.includes(name)),
    privateSources: hosts.privateSources,
    canTranscribe: await canUseModel({ db, hosts }, "transcription"),
  };
}

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

/** Null unless the text is a folder's link. Throws like the host's `list`. */
export async function listFolder(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  text: string,
  signal: AbortSignal,
): Promise<ListedFile[] | null> {
  const folder = parseFolderLink(text, await readAcceptedSources(context));
  if (!folder || !isHttpHost(folder.host)) return null;
  const access = await readSourceAccess(context);
  return (await sourceHostOf(folder.host).list?.(folder, { ...access, get: createSourceGet({ signal }) })) ?? null;
}
