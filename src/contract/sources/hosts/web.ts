import { ClipmillError } from "../../errors.ts";
import type { LinkHost, SourceLink } from "../link-host.ts";
import { ifUnchanged, rangeHeaders, revisionOf, totalBytesOf } from "../ranges.ts";
import type { ByteRange, SourceAccess, SourceAnswer, SourceFacts, SourceHost } from "../source-host.ts";

/** Addresses of media files on any website. `id` is the address. */
export const webLinks: LinkHost = {
  name: "web",
  label: "Web addresses",
  uses: ["video", "music"],
  isOptional: true,
  domains: [],
  parse(url) {
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
    const address = new URL(url);
    address.hash = "";
    return { id: address.href, accessKey: null };
  },
  isAlwaysAccepted: ({ id }, privateSources) => privateSources.includes(authorityOf(new URL(id))),
  partOf: ({ id }) => new URL(id).hostname,
  nameOf: ({ id }) => nameIn(new URL(id)),
  addressOf: ({ id }) => id,
};

export const web: SourceHost = {
  links: webLinks,
  // Many websites refuse HEAD, so one byte is requested instead.
  async describe(link, access) {
    const answer = await requestFile(link, access, { start: 0, end: 0 });
    answer.body.destroy();
    return factsOf(link, answer);
  },
  async open(link, access, { range }) {
    const answer = await requestFile(link, access, range);
    return {
      facts: factsOf(link, answer),
      answer,
      reopen: (other) => requestFile(link, access, other, answer),
    };
  },
};

/** Returns a response with the file. Throws ClipmillError for a page or a refusal. */
async function requestFile(
  { id }: SourceLink,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceAnswer,
): Promise<SourceAnswer> {
  const url = new URL(id);
  const isPrivate = access.privateSources.includes(authorityOf(url));
  if (!isPrivate && url.protocol !== "https:") throw refusals.notHttps();
  const answer = await access.get(url, {
    service: url.hostname,
    baseUrl: isPrivate ? url.origin : null,
    allowedHosts: "all",
    headers: { "accept-encoding": "identity", ...rangeHeaders(range), ...ifUnchanged(first) },
  });
  const isFile = answer.status === 200 || answer.status === 206;
  if (isFile && !/^text\/html\b/i.test(answer.headers["content-type"] ?? "")) return answer;
  answer.body.destroy();
  throw isFile ? refusals.page() : explainStatus(url.hostname, answer);
}

function explainStatus(site: string, { status, retryAfterSeconds }: SourceAnswer): ClipmillError {
  const details = { facts: { status }, retryAfterSeconds };
  if (status === 401 || status === 403) return refusals.notPublic(site, details);
  if (status === 404 || status === 410) return refusals.notFound(site, details);
  if (status === 416) return refusals.incomplete(site, details);
  if (status === 429) return refusals.rateLimited(site, details);
  return status >= 500 ? refusals.outOfOrder(site, details) : refusals.unexpected(site, details);
}

type Details = ConstructorParameters<typeof ClipmillError>[2];

const refusals = {
  notHttps: () => new ClipmillError("bad_link", "Web addresses must start with https://."),
  page: () =>
    new ClipmillError(
      "not_a_video",
      "This address leads to a web page, not to a video or audio file. Use the address of the file itself.",
    ),
  notPublic: (site: string, details: Details) =>
    new ClipmillError("not_shared", `${site} does not allow downloading this file without signing in.`, details),
  notFound: (site: string, details: Details) =>
    new ClipmillError("source_not_found", `${site} has no file at this address. Check the link.`, details),
  incomplete: (site: string, details: Details) =>
    new ClipmillError("incomplete", `${site} sent only part of this file. Retry later.`, details),
  rateLimited: (site: string, details: Details) =>
    new ClipmillError("rate_limited", `${site} is limiting requests. Retry in a few minutes.`, details),
  outOfOrder: (site: string, details: Details) =>
    new ClipmillError("network", `${site} is having problems right now. Retry later.`, details),
  unexpected: (site: string, details: Details) =>
    new ClipmillError("bad_link", `${site} did not send this file. Check the link.`, details),
};

function factsOf({ id }: SourceLink, answer: SourceAnswer): SourceFacts {
  const { "content-type": type } = answer.headers;
  return {
    name: answer.fileName ?? nameIn(new URL(id)),
    mimeType: type?.split(";")[0]?.trim() || "application/octet-stream",
    sizeBytes: totalBytesOf(answer),
    revision: revisionOf(answer),
  };
}

/** Returns the last part of the path, or the host's name. */
function nameIn(url: URL): string {
  const last = url.pathname.split("/").findLast((part) => part !== "");
  if (last === undefined) return url.hostname;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Returns `host:port`, with the scheme's port if the address names none. */
function authorityOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
