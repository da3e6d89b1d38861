/** Types of the rows of the job settings table. */

/**
 * The part of a render that a setting affects. Stream keys include its value, so that a cached stream is reused only
 * with equal settings.
 * - drawing: how captions are drawn.
 * - watermark: the watermark's image, and how it is drawn. Affects the keys through the drawing.
 * - framing: the size of outputs, and how frames fill it. Affects the keys through the plan.
 * - picture: everything else visible. A source's picture is copied only if these have their defaults.
 * - timing: when captions are shown. Pictures are cut there, and each stretch's key has its own part of the caption.
 * - encoding: how pictures are encoded.
 * - sound: every sound. A source's sound is copied only if these have their defaults.
 * - mix: how music and the source's sound are combined.
 */
export type StreamPart = "drawing" | "watermark" | "framing" | "picture" | "timing" | "encoding" | "sound" | "mix";

/** Absent or null means the default, in requests and in rows older than the setting. */
type SettingKind =
  | { kind: "flag"; default: boolean }
  /** One of `choices` (value to label), or null if the setting can be off: `offLabel`, or else "Off". */
  | {
      kind: "choice";
      isNumeric?: false;
      choices: Readonly<Record<string, string>>;
      offLabel?: string;
      default: string | null;
    }
  /** Like a choice, but its values are numbers. */
  | { kind: "choice"; isNumeric: true; choices: Readonly<Record<number, string>>; offLabel?: string; default: number }
  /** A typed number. `afterBlur`, or else the default, replaces unusable input. */
  | { kind: "number"; isWhole: boolean; least: number; most: number; default: number; afterBlur?: number }
  /** A number, or null for off. Typed input outside the limits counts as the nearest limit. */
  | { kind: "optionalNumber"; least: number; most: number; default: null }
  /** A volume from 0 to 1. */
  | { kind: "gain"; default: number }
  /** A share from `least` (by default 0) to 1; screens show percent. */
  | { kind: "share"; least?: number; default: number }
  /** `#rrggbb`; with `isTranslucent` also `#rrggbbaa`. */
  | { kind: "color"; isTranslucent?: true; default: string }
  /** Trimmed; null if empty. */
  | { kind: "text"; maxCharacters: number; default: null }
  /** Items are trimmed; empty ones are dropped. */
  | { kind: "list"; most: number; maxCharacters: number; default: readonly [] }
  | { kind: "id"; default: null }
  | { kind: "ids"; most: number; default: readonly [] }
  /** Videos with settings of their own. */
  | { kind: "rows"; default: readonly [] }
  /** A required text or list. `default` is the value of an empty form. */
  | { kind: "requiredText"; maxCharacters: number; default: "" }
  | { kind: "requiredList"; most: number; maxCharacters: number; default: readonly [] };

export type Setting = SettingKind & {
  /** Name on screens and in the API document. */
  label: string;
  /** Unit of a number on screens. */
  unit?: string;
  /**
   * "json": in the column `settings`, which new settings use because it needs no migration. "videos": with each of the
   * job's videos.
   */
  stored: "column" | "json" | "videos";
  /** True if a row cannot set it for its video. */
  isOfWholeJob?: true;
  isRerun: boolean;
  /** Null if it affects no stream directly: texts, tracks and cuts have their own keys. */
  stream: StreamPart | null;
};

export type ValueOf<Row extends Setting> = Row extends { kind: "flag" }
  ? boolean
  : Row extends { kind: "choice"; choices: infer Choices; default: infer Default }
    ? (keyof Choices & (string | number)) | (null extends Default ? null : never)
    : Row extends { kind: "number" | "gain" | "share" }
      ? number
      : Row extends { kind: "optionalNumber" }
        ? number | null
        : Row extends { kind: "ids" | "list" | "requiredList" }
          ? string[]
          : Row extends { kind: "requiredText" | "color" }
            ? string
            : string | null;
