import type { ConnectionKind } from "../connections.ts";
import type { ConnectionField, FieldValues, KindRules } from "./connection-kind.ts";
import { driveKind } from "./drive.ts";
import { dropboxKind } from "./dropbox.ts";
import { postizKind } from "./postiz.ts";
import { s3Kind } from "./s3.ts";
import { sftpKind } from "./sftp.ts";

/** In display order. */
export const CONNECTION_KINDS: { readonly [Kind in ConnectionKind]: KindRules<Kind> } = {
  s3: s3Kind,
  dropbox: dropboxKind,
  drive: driveKind,
  sftp: sftpKind,
  postiz: postizKind,
};

export const KIND_NAMES = Object.keys(CONNECTION_KINDS) as ConnectionKind[];

export function rulesOf<Kind extends ConnectionKind>(kind: Kind): KindRules<Kind> {
  return CONNECTION_KINDS[kind];
}

export function isSecretField({ type }: ConnectionField): boolean {
  return type === "secret" || type === "secret-text";
}

/** False for a field of another choice, such as the password beside a private key. */
export function isFieldShown({ shownFor }: ConnectionField, fields: FieldValues): boolean {
  return !shownFor || fields[shownFor.field] === shownFor.value;
}

export function faultOfField(field: ConnectionField, fields: FieldValues): string | null {
  if (!isFieldShown(field, fields)) return null;
  const value = fields[field.name];
  if (typeof value === "string") return field.faultOf?.(value, fields) ?? null;
  return Array.isArray(value) ? (field.faultOfLines?.(value as readonly string[]) ?? null) : null;
}
