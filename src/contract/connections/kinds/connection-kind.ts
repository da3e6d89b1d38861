/** The fields of a kind of connection. The request schemas, the API document and the screen follow from them. */
import type { ConnectionKind, SecretOf, SettingsOf } from "../connections.ts";

/** A field on the wire. Secrets are never returned. */
export type ConnectionField = {
  /** On the wire. */
  name: string;
  label: string;
  /** "lines" is an array of strings, "switch" a boolean, "choice" one of `choices`; the others are strings. */
  type: "text" | "secret" | "secret-text" | "lines" | "switch" | "choice";
  /** One sentence below the field. */
  hint?: string;
  placeholder?: string;
  maxCharacters?: number;
  /** True if requests may contain a number instead of text. */
  isNumber?: boolean;
  /** The first is the default. */
  choices?: readonly { value: string; label: string }[];
  /** Shown only for these values of a field of type "choice". */
  shownFor?: { field: string; value: string };
  /** Returns a sentence, or null. Fields of type "lines" have `faultOfLines`. */
  faultOf?(value: string, fields: FieldValues): string | null;
  faultOfLines?(lines: readonly string[]): string | null;
  /** A field whose fault depends on this one. */
  affects?: string;
  /** True if a test may run without it. */
  isFoundByTest?: boolean;
};

/** Fields by name, as typed: absent text is "". */
export type FieldValues = Readonly<Record<string, string | boolean | readonly string[]>>;

/** Sealed texts by name. */
export type SecretValues = Readonly<Record<string, string>>;

export type KindRules<Kind extends ConnectionKind = ConnectionKind> = {
  kind: Kind;
  /** For the operator, such as "SFTP". */
  label: string;
  /** One sentence for the form. */
  text: string;
  fields: readonly ConnectionField[];
  /** Returns what is stored of valid fields that are not secret. */
  toSettings(fields: FieldValues): SettingsOf[Kind];
  /** Returns what is sealed of valid secrets, of which those that are not typed are absent. */
  toSecret?(secrets: SecretValues): SecretValues;
  /** Returns the secrets after a change; by default, those that are not typed stay. */
  mergeSecret?(saved: SecretValues, typed: SecretValues): SecretValues;
  /** Returns why secrets are not enough to connect, or null. */
  faultOfSecret(secret: SecretValues, settings: SettingsOf[Kind]): string | null;
  /** Returns a text that changes with the server that receives the secret: a saved secret is not sent to another. */
  placeOf?(settings: SettingsOf[Kind]): string;
  /** The sealed text whose last characters help to recognize it; null if there is none. */
  endingOf: (keyof SecretOf[Kind] & string) | null;
  /** Sealed texts that are not secret, which are returned. */
  published?: readonly (keyof SecretOf[Kind] & string)[];
};

/** Returns the text of a field; "" if absent. */
export function textOf(fields: FieldValues, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

/** Returns a sentence for text that is no single word of ASCII, or null. `what` names the field. */
export function faultOfVisibleText(text: string, what: string): string | null {
  return /^[\x21-\x7e]*$/.test(text) ? null : `The ${what} can't contain spaces or special characters.`;
}
