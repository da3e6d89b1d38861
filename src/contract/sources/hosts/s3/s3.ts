import type { SourceLink } from "../../link-host.ts";
import { ifUnchanged, rangeHeaders, totalBytesOf } from "../../ranges.ts";
import type { ByteRange, SourceAccess, SourceAnswer, SourceFacts, SourceHost } from "../../source-host.ts";
import { bucketOf, keyOf, s3Links } from "./links.ts";
import { listPrefix, listPrefixEntries } from "./list-prefix.ts";
import { emptyFile } from "./refusals.ts";
import { requestS3 } from "./request-s3.ts";

export const s3: SourceHost = {
  links: s3Links,
  services: [],
  // The URL is signed for GET: one byte is requested instead of HEAD.
  async describe(link, access) {
    const answer = await requestFile(link, access, { start: 0, end: 0 });
    answer.body.destroy();
    return factsOf(link, answer);
  },
  async open(link, access, { range }) {
    const answer = await requestFile(link, access, range);
    return { facts: factsOf(link, answer), answer, reopen: (other) => requestFile(link, access, other, answer) };
  },
  list: listPrefix,
  listEntries: listPrefixEntries,
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

function factsOf(link: SourceLink, answer: SourceAnswer): SourceFacts {
  const { etag, "content-type": type } = answer.headers;
  return {
    name: s3Links.nameOf(link),
    mimeType: type?.split(";")[0]?.trim() || "application/octet-stream",
    sizeBytes: totalBytesOf(answer),
    revision: etag ?? null,
  };
}
