import { ClipmillError } from "#contract/errors.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import { isHttpHost, sourceHostOf } from "#contract/sources/source-hosts.ts";
import { judgeName, LEFT_OUT } from "#contract/watch-folders/left-out.ts";
import { WATCH_LIMITS, type WatchKind } from "#contract/watch-folders/watch-folders.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import type { Context } from "../../context.ts";
import { readAcceptedSources } from "../../sources/accepted-sources.ts";
import { readSourceAccess } from "../../sources/source-access.ts";
import { listLocalFiles } from "../local/list-local-files.ts";
import type { LocalRoots } from "../local/local-folders.ts";
import type { ListedFile } from "./listed-file.ts";

/** No list of links can contain such a link. */
const UNUSABLE_LINK = /[,\p{Cc}\uFFFD]|\s$/u;

/** Lists a watch folder's files, and judges their names. Throws ClipmillError with what is wrong with the folder. */
export async function listFiles(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  roots: LocalRoots,
  { kind, place }: { kind: WatchKind; place: string },
  signal: AbortSignal,
): Promise<ListedFile[]> {
  const found = kind === "local" ? await listLocalFiles(roots, place) : await listLinked(context, place, signal);
  return found.map(toJudged);
}

/** Judges a file. PostgreSQL stores no null characters. */
function toJudged(file: ListedFile): ListedFile {
  const [path, name] = [file.path, file.name].map((text) => text.replaceAll("\0", "\uFFFD").toWellFormed());
  const leftOut = file.leftOut ?? judge(file);
  const link = leftOut?.code === "name" ? null : file.link;
  return Object.assign(file, { path: path!, name: name!, link, leftOut });
}

function judge({ path, name, link, isVideo }: ListedFile) {
  const byName = judgeName(name, isVideo);
  if (byName) return byName;
  // U+FFFD stands for bytes that are no UTF-8: the file cannot be opened by this name.
  const isUnusable = link === null ? path.includes("\uFFFD") : UNUSABLE_LINK.test(link);
  return isUnusable ? LEFT_OUT.name : null;
}

async function listLinked(
  context: Pick<Context, "db" | "secrets" | "hosts">,
  place: string,
  signal: AbortSignal,
): Promise<ListedFile[]> {
  const folder = parseFolderLink(place, await readAcceptedSources(context));
  const host = folder && isHttpHost(folder.host) ? sourceHostOf(folder.host) : null;
  if (!folder || !host?.listEntries) {
    throw new ClipmillError("bad_key", "Links of this host are turned off. Turn them on in Settings.");
  }
  const access = { ...(await readSourceAccess(context)), get: createSourceGet({ signal }) };
  const entries = await host.listEntries(folder, access, WATCH_LIMITS.files);
  return entries.map((entry) => Object.assign(entry, { leftOut: null }));
}
