export type S3Location = {
  bucket: string;
  /** Prefix of every key; may be empty. */
  prefix: string;
  /** Null for Amazon S3. */
  endpoint: string | null;
  /** For browsers, if it differs. */
  publicEndpoint: string | null;
  region: string;
};

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PLAIN_PREFIX = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;
const KNOWN_QUERY = new Set(["endpoint", "public", "region"]);

/** Parses `s3://bucket/prefix?endpoint=…&public=…&region=…`. The returned problem never quotes the input. */
export function readS3Location(text: string): S3Location | { problem: string } {
  const url = URL.parse(text);
  if (url?.protocol !== "s3:") return { problem: "must start with s3://" };
  if (url.username || url.password) {
    return { problem: "must not contain credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead" };
  }
  if (!BUCKET_NAME.test(url.hostname) || url.port) return { problem: "must name a bucket: s3://bucket/prefix" };
  const prefix = url.pathname.replace(/^\/|\/$/g, "");
  if (prefix !== "" && !PLAIN_PREFIX.test(prefix)) {
    return { problem: "must have a prefix of only letters, digits, -, _, . and /" };
  }
  if ([...url.searchParams.keys()].some((name) => !KNOWN_QUERY.has(name))) {
    return { problem: "supports only the query parameters endpoint, public and region" };
  }
  const endpoint = url.searchParams.get("endpoint");
  const publicEndpoint = url.searchParams.get("public");
  const endpointProblem =
    problemOfAddress("an endpoint", endpoint) ?? problemOfAddress("a public address", publicEndpoint);
  if (endpointProblem !== null) return { problem: endpointProblem };
  if (publicEndpoint !== null && endpoint === null) return { problem: "can set public only together with endpoint" };
  const region = url.searchParams.get("region") ?? (endpoint === null ? "" : "us-east-1");
  if (!/^[\w-]+$/.test(region)) return { problem: "must set a region (?region=…) unless it sets an endpoint" };
  return { bucket: url.hostname, prefix, endpoint, publicEndpoint, region };
}

function problemOfAddress(what: string, address: string | null): string | null {
  if (address === null) return null;
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return `must have ${what} that starts with http:// or https://`;
  return url.username || url.password ? `must not contain credentials in ${what}` : null;
}
