import type { Connection, ConnectionUser } from "#contract/connections/connections.ts";
import { CONNECTION_KINDS } from "#contract/connections/kinds/connection-kinds.ts";
import { pluralize } from "../jobs/row/pluralize.ts";

const MAX_NAMED = 3;

/** Returns, for example, "Amazon S3, eu-west-1" or a host name. */
export function describePlace(connection: Connection): string {
  switch (connection.kind) {
    case "s3":
      return connection.endpoint === null ? `Amazon S3, ${connection.region}` : new URL(connection.endpoint).host;
    case "sftp":
      return `SFTP, ${connection.username}@${connection.host}${connection.port === 22 ? "" : `:${connection.port}`}`;
    case "drive":
      return connection.client_email === null ? "Google Drive" : `Google Drive, ${connection.client_email}`;
    case "dropbox":
      return `Dropbox, app ${connection.app_key}`;
    case "postiz":
      return connection.endpoint === null ? "Postiz Cloud" : `Postiz, ${new URL(connection.endpoint).host}`;
  }
}

export function describeBuckets(buckets: readonly string[]): string {
  if (buckets.length === 0) return "Any other bucket";
  const named = buckets.slice(0, MAX_NAMED).join(", ");
  return buckets.length > MAX_NAMED ? `${named} and ${pluralize(buckets.length - MAX_NAMED, "more", "more")}` : named;
}

export function describeKey({ kind, last4 }: Pick<Connection, "kind" | "last4">): string {
  const what = kind === "drive" || kind === "postiz" ? "Key" : "Secret";
  return last4 === null ? `${what} saved` : `${what} ending in ${last4}`;
}

const SINGULAR: Record<ConnectionUser["type"], string> = {
  job: "job",
  destination: "destination",
  watch_folder: "watch folder",
};

/** Returns, for example, "2 jobs" or "3 users". */
export function countUsers({ used_by: users, used_by_total: total }: Connection): string {
  const types = new Set(users.map(({ type }) => type));
  const [type] = types;
  return pluralize(total, types.size === 1 && type ? SINGULAR[type] : "user");
}

export function describeLoss(connection: Connection): string {
  const { kind, used_by: users, used_by_total: total } = connection;
  const [first] = users;
  if (!first) {
    return kind === "s3"
      ? "No unfinished job needs it. Links to its buckets will stop working."
      : `Nothing needs it now. ${CONNECTION_KINDS[kind].label} files that are only reachable through it will stop working.`;
  }
  const [isAllJobs, isAllFolders] = (["job", "watch_folder"] as const).map((type) =>
    users.every((user) => user.type === type),
  );
  if (total === 1 && isAllFolders) return `The watch folder "${first.name}" needs it, and will pause.`;
  const loss = isAllJobs ? "videos that are not downloaded yet will fail" : "transfers will fail";
  if (total === 1) return `The ${SINGULAR[first.type]} "${first.name}" needs it. Its ${loss}.`;
  const others = pluralize(total - 1, isAllJobs ? "other job" : "other");
  return isAllFolders
    ? `"${first.name}" and ${others} need it, and will pause.`
    : `"${first.name}" and ${others} need it. Their ${loss}.`;
}
