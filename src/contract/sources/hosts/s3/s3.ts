import { ClipmillError } from "../../../errors.ts";
import type { S3Request, SignedS3Request } from "../../../connections/s3-requests.ts";
import type { SourceLink } from "../../link-host.ts";
import { ifUnchanged, rangeHeaders, totalBytesOf } from "../../ranges.ts";
import type { ByteRange, SourceAccess, SourceAnswer, SourceFacts, SourceHost } from "../../source-host.ts";
import { bucketOf, keyOf, s3Links } from "./links.ts";
import { emptyFile, explainS3Refusal, refuseEndpoint } from "./refusals.ts";

/** Files in S3 buckets, read with presigned GET requests. */
export const s3: SourceHost = {
  links: s3Links,
  services: [],
  // The URL is signed for GET, so one byte is requested instead of HEAD.
  async describe(link, access) {
    const answer = await requestFile(link, access, { start: 0, end: 0 });
    answer.body.destroy();
    return factsOf(link, answer);
  },
  async open(link, access, { range }) {
    const answer = await requestFile(link, access, range);
    return { facts: factsOf(link, answer), answer, reopen: (other) => requestFile(link, access, other, answer) };
  },
};

async function requestFile(
  { id }: SourceLink,
  access: Pick<SourceAccess, "get" | "signS3">,
  range?: ByteRange,
  first?: SourceAnswer,
): Promise<SourceAnswer> {
  const headers = { "accept-encoding": "identity", ...rangeHeaders(range), ...ifUnchanged(first) };
  const answer = await requestS3({ action: "get", bucket: bucketOf(id), key: keyOf(id) }, access, headers);
  if (totalBytesOf(answer) !== 0) return answer;
  // Stores answer 200 or 416 to a range of an empty file.
  answer.body.destroy();
  throw emptyFile();
}

/** Returns a successful response. Throws ClipmillError for a refusal. */
export async function requestS3<Request extends S3Request>(
  request: Request,
  access: Pick<SourceAccess, "get"> & { signS3(request: Request): Promise<SignedS3Request> },
  headers: Record<string, string> = {},
): Promise<SourceAnswer> {
  const signed = await access.signS3(request);
  const answer = await send(request, signed, access, headers);
  if (answer.status === 200 || answer.status === 206) return answer;
  throw explainS3Refusal(answer, await answer.text(), request, signed.connection);
}

async function send(
  request: S3Request,
  { url, baseUrl, endpoint, connection }: SignedS3Request,
  access: Pick<SourceAccess, "get">,
  headers: Record<string, string>,
): Promise<SourceAnswer> {
  const service = request.action === "list-buckets" ? endpoint : `The bucket "${request.bucket}"`;
  try {
    // A redirect means another region, for which the signature is not valid.
    return await access.get(url, { service, baseUrl, allowedHosts: [url.hostname], returnsRedirects: true, headers });
  } catch (error) {
    // "address" for a private address; "host" for plain http.
    const isGuarded = error instanceof ClipmillError && error.code === "bad_link";
    throw isGuarded ? refuseEndpoint(connection, endpoint, error) : error;
  }
}

function factsOf(link: SourceLink, answer: SourceAnswer): SourceFacts {
  const { etag, "content-type": type } = answer.headers;
  return {
    name: s3Links.nameOf(link),
    mimeType: type?.split(";")[0]?.trim() || "application/octet-stream",
    sizeBytes: totalBytesOf(answer),
    revision: etag ?? null,
  };
}
