import { ClipmillError } from "../../../errors.ts";
import type { S3Request, SignedS3Request } from "../../../connections/s3-requests.ts";
import type { SourceAccess, SourceResponse } from "../../source-host.ts";
import { explainS3Response, endpointError } from "./s3-errors.ts";

/** Throws ClipmillError for an error response. */
export async function requestS3<Request extends S3Request>(
  request: Request,
  access: Pick<SourceAccess, "get"> & { signS3(request: Request): Promise<SignedS3Request> },
  headers: Record<string, string> = {},
): Promise<SourceResponse> {
  const signed = await access.signS3(request);
  const response = await send(request, signed, access, headers);
  if (response.status === 200 || response.status === 206) return response;
  throw explainS3Response(response, await response.text(), request, signed.connection);
}

async function send(
  request: S3Request,
  { url, baseUrl, endpoint, connection }: SignedS3Request,
  access: Pick<SourceAccess, "get">,
  headers: Record<string, string>,
): Promise<SourceResponse> {
  const service = request.action === "list-buckets" ? endpoint : `The bucket "${request.bucket}"`;
  try {
    // A redirect means another region, where the signature is not valid.
    return await access.get(url, { service, baseUrl, allowedHosts: [url.hostname], returnsRedirects: true, headers });
  } catch (error) {
    // "address" for a private address, "host" for plain http.
    const isGuarded = error instanceof ClipmillError && error.code === "bad_link";
    throw isGuarded ? endpointError(connection, endpoint, error) : error;
  }
}
