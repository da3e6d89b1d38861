import { ClipmillError } from "#contract/errors.ts";
import { RIGHTS } from "#contract/settings/settings.ts";
import { videoSiteLinks } from "#contract/sources/hosts/video-sites.ts";
import type { SourceHostName } from "#contract/sources/link-host.ts";
import { findOnPath, isExecutable } from "#ground/find-program.ts";
import type { Context } from "../context.ts";
import { readAcceptedSources } from "../sources/accepted-sources.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

/**
 * Null turns all off. Throws ClipmillError "invalid" if video sites are newly turned on without yt-dlp or a
 * confirmation of rights.
 */
export async function saveSourceHosts(
  context: Pick<Context, "db" | "hosts">,
  hosts: readonly SourceHostName[] | null,
  { confirmsRights }: { confirmsRights: boolean },
): Promise<void> {
  if (hosts === null) return void (await removeSetting(context.db, "source_hosts"));
  const { name } = videoSiteLinks;
  const isNew = hosts.includes(name) && !(await readAcceptedSources(context)).hosts.includes(name);
  if (isNew && !hasYtDlp(context)) {
    throw new ClipmillError("invalid", "Install yt-dlp on this server first, or set YT_DLP_PATH to its path.");
  }
  if (isNew && !confirmsRights) throw new ClipmillError("invalid", `Confirm this first: ${RIGHTS}`);
  await writeSetting(context.db, "source_hosts", JSON.stringify([...new Set(hosts)]));
}

function hasYtDlp({ hosts: { ytDlpPath } }: Pick<Context, "hosts">): boolean {
  return ytDlpPath === null ? findOnPath("yt-dlp") !== null : isExecutable(ytDlpPath);
}
