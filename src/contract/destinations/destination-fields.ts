import { cleanFileName } from "../clean-name.ts";
import { isBucketName } from "../connections/kinds/s3.ts";
import { patternProblem } from "../jobs/outputs/output-name.ts";
import { DESTINATION_LIMITS, type DestinationKind } from "./destinations.ts";

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** Opaque, but safe in URLs. */
const DRIVE_ID = /^[\w-]{4,200}$/;
const JOB_FIELD = "{job}";

export function problemOfDestinationName(name: string): string | null {
  if (name === "") return "Enter a name.";
  if (name.length > DESTINATION_LIMITS.nameCharacters) return "Names can have at most 100 characters.";
  return INVISIBLE.test(name) ? "Names can't contain line breaks or invisible characters." : null;
}

/** The server checks that a folder exists. */
export function problemOfPlace(kind: DestinationKind, place: string): string | null {
  switch (kind) {
    case "folder":
      return place === "" ? "Choose a folder." : null;
    case "s3":
      if (place === "") return "Enter the name of the bucket.";
      return isBucketName(place)
        ? null
        : "This is not a bucket name. Names have 3 to 63 lowercase letters, digits, dots and hyphens.";
    case "drive":
      return DRIVE_ID.test(place) ? null : "Enter the ID of a folder: the end of its address in Google Drive.";
    case "sftp":
      if (INVISIBLE.test(place)) return "The folder can't contain invisible characters.";
      return place.split("/").includes("..") ? "The folder can't have .. in its path." : null;
    case "dropbox":
      return place === "" ? null : "A Dropbox destination has only a folder.";
    case "postiz":
      return place === "" ? null : "A Postiz destination has no place, only channels.";
  }
}

/** Folders never lead out of their place. */
export function problemOfFolder(folder: string): string | null {
  if (folder === "") return null;
  const parts = folder.split("/");
  if (parts.some((part) => part.trim() === ""))
    return "Separate folder names with a single /, and none at the start or end.";
  if (parts.some((part) => /^\.+$/.test(part.trim()) || part !== part.trim())) {
    return "Folder names can't be . or .., or start or end with a space.";
  }
  if (folder.includes("\\") || INVISIBLE.test(folder)) return "The folder can't contain \\ or invisible characters.";
  const field = /\{[^{}]*\}?|\}/.exec(folder.replaceAll(JOB_FIELD, ""))?.[0];
  return field === undefined ? null : `The folder can't contain "${field}"; only {job} is replaced in it.`;
}

export function problemOfPattern(pattern: string): string | null {
  const problem = pattern === "" ? null : patternProblem(pattern, () => true);
  return problem && `${problem}.`;
}

export function folderFor(folder: string, jobName: string): string {
  // A string replacement would interpret "$&" in the name.
  return folder.replaceAll(JOB_FIELD, () => cleanFileName(jobName, "Job"));
}
