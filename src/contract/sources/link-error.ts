import { ClipmillError } from "../errors.ts";
import { linkHostOf } from "./link-hosts.ts";
import { explainLink, parseLink } from "./links.ts";

/** `sentence` is used if no host explains the link. */
export function linkError(text: string, sentence: string): ClipmillError {
  const reason = explainLink(text);
  if (reason !== null) return new ClipmillError("bad_link", `${reason[0]!.toUpperCase()}${reason.slice(1)}.`);
  const link = parseLink(text);
  const host = link && linkHostOf(link.host);
  const isOff = host?.isOptional === true;
  return new ClipmillError("bad_link", isOff ? `Turn on "${host.label}" in Settings to use this link.` : sentence);
}
