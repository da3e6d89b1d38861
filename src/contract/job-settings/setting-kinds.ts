/** What a row of the table of job settings may say. */

/**
 * The part of a render that a setting changes. Its value is in the keys of those streams, so that a stream in the cache is used
 * only for equal settings.
 * - drawing: how captions and the watermark are drawn.
 * - picture: anything else that a picture shows. A source's picture is copied only while these have their defaults.
 * - encoding: how pictures are encoded.
 * - sound: every sound. A source's sound is copied only while these have their defaults.
 * - mix: how music and the source's sound are put together.
 */
export type StreamPart = "drawing" | "picture" | "encoding" | "sound" | "mix";

/** The values of a setting. Absent and null mean the default, in requests and in rows older than the setting. */
type SettingKind =
  | { kind: "flag"; default: boolean }
  /** One of `choices`, which have their labels; null if the setting can be off. */
  | { kind: "choice"; choices: Readonly<Record<string, string>>; default: string | null }
  /** A number that is typed. `afterBlur` replaces unusable input; without it, the default does. */
  | { kind: "number"; isWhole: boolean; least: number; most: number; default: number; afterBlur?: number }
  /** A volume: 0-1. */
  | { kind: "gain"; default: number }
  /** Trimmed; null if empty. */
  | { kind: "text"; mostCharacters: number; default: null }
  /** Each trimmed; empty ones are dropped. */
  | { kind: "list"; most: number; mostCharacters: number; default: readonly [] }
  | { kind: "id"; default: null }
  /** A text or a list that a job cannot do without. `default` is what an empty form holds. */
  | { kind: "requiredText"; mostCharacters: number; default: "" }
  | { kind: "requiredList"; most: number; mostCharacters: number; default: readonly [] };

export type Setting = SettingKind & {
  /** The name of the setting on screens and in the API document. */
  label: string;
  /** In a column of its own, or by name in the column `settings`, which needs no migration: new settings are stored there. */
  stored: "column" | "json";
  /** True if a rerun copies it. */
  isRerun: boolean;
  /** Null if it changes no stream, or only through what is rendered: texts, tracks and cuts have keys of their own. */
  stream: StreamPart | null;
};

/** The type of a setting's values. */
export type ValueOf<Row extends Setting> = Row extends { kind: "flag" }
  ? boolean
  : Row extends { kind: "choice"; choices: infer Choices; default: infer Default }
    ? (keyof Choices & string) | (null extends Default ? null : never)
    : Row extends { kind: "number" | "gain" }
      ? number
      : Row extends { kind: "list" | "requiredList" }
        ? string[]
        : Row extends { kind: "requiredText" }
          ? string
          : string | null;
