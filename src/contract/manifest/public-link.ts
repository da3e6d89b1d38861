/** Manifests are handed to others: links must contain no secrets. */
import { parseLink } from "../sources/links.ts";

/**
 * Parameters that sign an address or grant access: S3, Google Cloud and Azure storage, CloudFront, Akamai, Cloudflare
 * (their documentation, read 2026-11-22), and common names of tokens and keys.
 */
const SECRET_NAME =
  /^(?:x-amz-|x-goog-|x-oss-)|^(?:se|sp|sig|st|exp|policy|hdnea|hdnts|awsaccesskeyid|googleaccessid|key-pair-id)$|sign|token|secret|passw|credential|auth|expire|session|ticket|jwt|hmac|hash|(?:^|[-_])(?:key|code|pwd|pass)$|apikey/i;
/** Long and random: letters and digits without a word between them. */
const RANDOM_VALUE = /^(?=.*\d)(?=.*[a-z])[\w.~+/=-]{24,}$/i;

/**
 * Removes user, password, fragment, and parameters that look like a signature, token or key.
 * - Google Drive, Dropbox, OneDrive and Instagram links keep their key (`resourcekey`, `rlkey`), without which they
 * name no file.
 * - S3 (`s3://bucket/key`) and library links have no secret.
 * - Others lose parameters with a secret's name or a long random value. A secret in the path is not recognized.
 */
export function publicLink(link: string): string {
  if (/^s3:/i.test(link.trim())) return link;
  const host = parseLink(link)?.host ?? "web";
  const [, before = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(link) ?? [];
  const address = before.replace(/^(\s*[a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, "$1");
  const isSecret = host === "web" ? isSecretParameter : isSecretOfShare;
  const kept = query?.split("&").filter((parameter) => !isSecret(parameter)) ?? [];
  return address + (kept.length > 0 ? `?${kept.join("&")}` : "") + (host === "web" ? "" : fragment);
}

function isSecretParameter(parameter: string): boolean {
  const [name, value] = namedValue(parameter);
  return SECRET_NAME.test(name) || RANDOM_VALUE.test(value);
}

/** Dropbox's `st` identifies the sharer. File ids are long and random. */
function isSecretOfShare(parameter: string): boolean {
  const [name] = namedValue(parameter);
  return SECRET_NAME.test(name) && !/^(?:rlkey|resourcekey)$/.test(name);
}

function namedValue(parameter: string): [name: string, value: string] {
  const [name = "", ...value] = parameter.split("=");
  return [decode(name), decode(value.join("="))];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
