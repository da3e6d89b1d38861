import { GetObjectCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { S3Location } from "./s3-location.ts";
import { fullKeyOf, makeS3Store, type S3Limits, withinLimit } from "./s3-store.ts";
import type { FileAddresses } from "../storage.ts";

/** Presigns for the host that browsers use, which is part of the signature. Sends no request. */
export async function openAddresses(location: S3Location, limits: S3Limits): Promise<FileAddresses> {
  const store = makeS3Store({ ...location, endpoint: location.publicEndpoint ?? location.endpoint }, limits);
  const of: FileAddresses["of"] = (key, { type, disposition, seconds }) => {
    const command = new GetObjectCommand({
      Bucket: location.bucket,
      Key: fullKeyOf(store, key),
      ResponseContentType: type,
      ...(disposition !== null && { ResponseContentDisposition: disposition }),
    });
    return withinLimit(store, { key, limitMs: limits.callMs }, () =>
      getSignedUrl(store.client, command, { expiresIn: seconds }),
    );
  };
  // Taken from a sample, because the bucket's name may be part of the host.
  const sample = await of("any", { type: "video/mp4", disposition: null, seconds: 1 });
  return { origin: new URL(sample).origin, of };
}
