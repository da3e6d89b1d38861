/** Defines the fields of each kind, for request schemas, the API document and the screen. */
import type { ConnectionKind, SecretOf, SettingsOf } from "../connections.ts";

export type ConnectionField = {
  name: string;
  label: string;
  /** On the wire, "lines" is an array of strings, "switch" a boolean, the others strings. */
  type: "text" | "secret" | "secret-text" | "lines" | "switch" | "choice";
  hint?: string;
  placeholder?: string;
  maxCharacters?: number;
  /** Requests may contain a number. */
  isNumber?: boolean;
  /** The first is the default. */
  choices?: readonly { value: string; label: string }[];
  /** Shown only for this value of a "choice". */
  shownFor?: { field: string; value: string };
  /** Returns a sentence, or null; "lines" have `problemOfLines`. */
  problemOf?(value: string, fields: FieldValues): string | null;
  problemOfLines?(lines: readonly string[]): string | null;
  /** A field whose validity depends on this one. */
  affects?: string;
  /** A test may run without it. */
  isFoundByTest?: boolean;
  /** In a new connection, a value in this field turns the switch on. */
  isOnWith?: string;
};

/** As typed: absent text is "". */
export type FieldValues = Readonly<Record<string, string | boolean | readonly string[]>>;

export type SecretValues = Readonly<Record<string, string>>;

export type KindRules<Kind extends ConnectionKind = ConnectionKind> = {
  kind: Kind;
  label: string;
  text: string;
  fields: readonly ConnectionField[];
  toSettings(fields: FieldValues): SettingsOf[Kind];
  /** Omits secrets that were not typed. */
  toSecret?(secrets: SecretValues): SecretValues;
  /** By default, secrets that were not typed stay. */
  mergeSecret?(saved: SecretValues, typed: SecretValues): SecretValues;
  /** Returns why the secrets are not enough to connect, or null. */
  problemOfSecret(secret: SecretValues, settings: SettingsOf[Kind]): string | null;
  /** Changes with the server that receives the secret: a saved secret is never sent to another. */
  placeOf?(settings: SettingsOf[Kind]): string;
  /** The secret whose last characters identify it. */
  endingOf: (keyof SecretOf[Kind] & string) | null;
  /** Sealed, but returned: not secret. */
  published?: readonly (keyof SecretOf[Kind] & string)[];
};

export function textOf(fields: FieldValues, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

/** Returns a sentence unless `text` is one word of ASCII. `what` names the field. */
export function problemOfVisibleText(text: string, what: string): string | null {
  return /^[\x21-\x7e]*$/.test(text) ? null : `The ${what} can't contain spaces or special characters.`;
}
