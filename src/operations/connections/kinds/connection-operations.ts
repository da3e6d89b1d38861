import type { ConnectionKind } from "#contract/connections/connections.ts";
import { driveOperations } from "./drive.ts";
import { dropboxOperations } from "./dropbox.ts";
import type { KindOperations } from "./kind-operations.ts";
import { postizOperations } from "./postiz.ts";
import { s3Operations } from "./s3.ts";
import { sftpOperations } from "./sftp.ts";

const OPERATIONS: { readonly [Kind in ConnectionKind]: KindOperations<Kind> } = {
  s3: s3Operations,
  dropbox: dropboxOperations,
  drive: driveOperations,
  sftp: sftpOperations,
  postiz: postizOperations,
};

export function operationsOf<Kind extends ConnectionKind>(kind: Kind): KindOperations<Kind> {
  return OPERATIONS[kind];
}
