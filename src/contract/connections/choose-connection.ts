import type { S3Settings } from "./connections.ts";

type Candidate = Pick<S3Settings, "buckets">;

/** Returns the connection that lists the bucket, else the only one without a list; null for none or several. */
export function connectionForBucket<Connection extends Candidate>(
  bucket: string,
  connections: readonly Connection[],
): Connection | null {
  const listing = connections.find(({ buckets }) => buckets.includes(bucket));
  if (listing) return listing;
  const [only, ...others] = connections.filter(({ buckets }) => buckets.length === 0);
  return only && others.length === 0 ? only : null;
}

export function explainNoConnection(bucket: string, connections: readonly Candidate[]): string {
  if (connections.length === 0) return `Add an S3 connection in Settings to read the bucket "${bucket}".`;
  const isAmbiguous = connections.some(({ buckets }) => buckets.length === 0);
  return isAmbiguous
    ? `More than one S3 connection could read the bucket "${bucket}". Add the bucket to one of them in Settings.`
    : `No S3 connection is for the bucket "${bucket}". Add the bucket to a connection in Settings.`;
}
