import { authorityOf } from "../../authority-of.ts";
import { ClipmillError } from "../../errors.ts";
import type { LinkHost, SourceLink } from "../link-host.ts";
import { downloadDirectly, emptyFile, isEmpty, isPage, lastPartOf } from "../direct-download.ts";
import { ifUnchanged, rangeHeaders } from "../ranges.ts";
import type { ByteRange, SourceAccess, SourceResponse, SourceHost, SourceRequest } from "../source-host.ts";

/** Media files on any website. `id` is the address. */
export const webLinks: LinkHost = {
  name: "web",
  label: "Web addresses",
  uses: ["video", "music", "subtitles"],
  isOptional: true,
  settingsText: "Direct links to video and audio files on any website. The server connects to every linked website.",
  domains: [],
  parse(url) {
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
    const address = new URL(url);
    address.hash = "";
    return { id: address.href, accessKey: null };
  },
  accepts({ id }, { isOn, privateSources }) {
    const url = new URL(id);
    return (isOn && url.protocol === "https:") || privateSources.includes(authorityOf(url));
  },
  partOf: ({ id }) => new URL(id).hostname,
  nameOf: ({ id }) => nameIn(new URL(id)),
  addressOf: ({ id }) => id,
};

export const web: SourceHost = /* @__PURE__ */ downloadDirectly(
  { links: webLinks, services: [] },
  requestFile,
  ({ id }, { fileName }) => fileName ?? nameIn(new URL(id)),
);

/** Throws ClipmillError for a page or an error response. */
async function requestFile(
  { id }: SourceLink,
  access: SourceAccess,
  range?: ByteRange,
  first?: SourceResponse,
): Promise<SourceResponse> {
  const url = new URL(id);
  const isPrivate = access.privateSources.includes(authorityOf(url));
  if (!isPrivate && url.protocol !== "https:") throw errors.notHttps();
  const response = await send(url, access, {
    baseUrl: isPrivate ? url.origin : null,
    headers: { "accept-encoding": "identity", ...rangeHeaders(range), ...ifUnchanged(first) },
  });
  const error = errorOf(url.hostname, response);
  if (!error) return response;
  response.body.destroy();
  throw error;
}

async function send(
  url: URL,
  { get }: SourceAccess,
  request: Pick<SourceRequest, "baseUrl" | "headers">,
): Promise<SourceResponse> {
  try {
    return await get(url, { ...request, service: url.hostname, allowedHosts: "all" });
  } catch (error) {
    // A wrong name never works; without a network, Node reports EAI_AGAIN.
    const isUnknown = error instanceof ClipmillError && error.facts["reason"] === "ENOTFOUND";
    throw isUnknown ? errors.unknownSite(url.hostname) : error;
  }
}

function errorOf(site: string, response: SourceResponse): ClipmillError | null {
  const { status, headers, retryAfterSeconds } = response;
  const details = { facts: { status }, retryAfterSeconds };
  if (status === 200 || status === 206) {
    if (isPage(response)) return errors.page();
    const isCompressed = /^(?!identity$)./i.test(headers["content-encoding"] ?? "");
    return isCompressed ? errors.compressed(site) : null;
  }
  if (isEmpty(response)) return emptyFile();
  if (status === 401 || status === 403) return errors.notPublic(site, details);
  if (status === 404 || status === 410) return errors.notFound(site, details);
  if (status === 416) return errors.incomplete(site, details);
  if (status === 429) return errors.rateLimited(site, details);
  return status >= 500 ? errors.outOfOrder(site, details) : errors.unexpected(site, details);
}

type Details = ConstructorParameters<typeof ClipmillError>[2];

const errors = {
  notHttps: () => new ClipmillError("bad_link", "Web addresses must start with https://."),
  page: () =>
    new ClipmillError(
      "not_a_video",
      "This address leads to a web page, not to a video or audio file. Use the address of the file itself.",
    ),
  compressed: (site: string) =>
    new ClipmillError(
      "not_a_video",
      `${site} sent this file with HTTP compression, which Clipmill does not support. Use another address.`,
    ),
  unknownSite: (site: string) =>
    new ClipmillError("source_not_found", `There is no website named ${site}. Check the link.`),
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

function nameIn(url: URL): string {
  return lastPartOf(url.pathname) ?? url.hostname;
}
