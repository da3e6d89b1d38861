import { judgeName, LEFT_OUT } from "#contract/watch-folders/left-out.ts";
import type { ListedFile } from "./listed-file.ts";

/** No list of links can contain such a link. */
const UNUSABLE_LINK = /[,\p{Cc}\uFFFD]|\s$/u;

/** PostgreSQL cannot store null characters. */
export function judgeFile(file: ListedFile): ListedFile {
  const [path, name] = [file.path, file.name].map((text) => text.replaceAll("\0", "\uFFFD").toWellFormed());
  const leftOut = file.leftOut ?? judge(file);
  const link = leftOut?.code === "name" ? null : file.link;
  return Object.assign(file, { path: path!, name: name!, link, leftOut });
}

function judge({ path, name, link, isVideo }: ListedFile) {
  const byName = judgeName(name, isVideo);
  if (byName) return byName;
  // On SFTP servers, U+FFFD stands for bytes that are not UTF-8: the file cannot be opened by this name.
  const isUnusable = link === null ? path.includes("\uFFFD") : UNUSABLE_LINK.test(link);
  return isUnusable ? LEFT_OUT.name : null;
}
