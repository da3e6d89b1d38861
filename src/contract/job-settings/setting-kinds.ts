/**
 * The part of a render that a setting affects. Stream keys include its value, so cached streams are reused only with
 * equal settings.
 * - drawing: captions.
 * - watermark: the image; keyed through the drawing.
 * - framing: output size, and how frames fill it; keyed through the plan.
 * - picture: everything else visible. The source's picture is copied only with defaults.
 * - timing: when captions show. Pictures are cut there; each stretch's key has its part of the caption.
 * - joins: how parts follow each other; keyed through the plan.
 * - encoding: how pictures are encoded.
 * - sound: every sound. The source's sound is copied only with defaults.
 * - mix: how music and the source's sound combine.
 * - cover: a frame taken from the finished file; keyed through the output.
 */
export type StreamPart =
  | "drawing"
  | "watermark"
  | "framing"
  | "picture"
  | "timing"
  | "joins"
  | "encoding"
  | "sound"
  | "mix"
  | "cover";

/** Absent or null means the default, in requests and older rows. */
type SettingKind =
  | { kind: "flag"; default: boolean }
  /** `choices` maps values to labels; null is off, labeled `offLabel` or "Off". */
  | {
      kind: "choice";
      isNumeric?: false;
      choices: Readonly<Record<string, string>>;
      offLabel?: string;
      default: string | null;
    }
  | { kind: "choice"; isNumeric: true; choices: Readonly<Record<number, string>>; offLabel?: string; default: number }
  /** Typed. `afterBlur`, else the default, replaces unusable input. Rounded to `decimals`, if given. */
  | {
      kind: "number";
      isWhole: boolean;
      decimals?: number;
      least: number;
      most: number;
      default: number;
      afterBlur?: number;
    }
  /** Null is off. Typed input is clamped to the limits. */
  | { kind: "optionalNumber"; least: number; most: number; default: null }
  /** From 0 to 1. */
  | { kind: "gain"; default: number }
  /** From `least` (default 0) to 1; shown as percent. */
  | { kind: "share"; least?: number; default: number }
  /** `#rrggbb`; with `isTranslucent` also `#rrggbbaa`. */
  | { kind: "color"; isTranslucent?: true; default: string }
  | { kind: "text"; maxCharacters: number; default: null }
  /** Of one file. A library file of it cannot be deleted while a job, preset or kit needs it. */
  | { kind: "link"; of: "video" | "image" | "subtitles"; maxCharacters: number; default: null }
  /** Languages are canonical tags, each once. */
  | { kind: "list"; of?: "language"; most: number; maxCharacters: number; default: readonly [] }
  | { kind: "id"; default: null }
  | { kind: "ids"; most: number; default: readonly [] }
  /** Has its own schema in `setting-schema.ts`. The form stores it as JSON. */
  | { kind: "shape"; shape: ShapeName; default: string | readonly [] }
  /** `default` is the empty form's value. */
  | { kind: "requiredText"; maxCharacters: number; default: "" }
  | { kind: "requiredList"; most: number; maxCharacters: number; default: readonly [] };

export type ShapeName = "rows" | "slots" | "combine" | "exclude" | "formats" | "layers";

export type Setting = SettingKind & {
  label: string;
  unit?: string;
  /** "json": in the column `settings`, which needs no migration: use it for new settings. "videos": with each video. */
  stored: "column" | "json" | "videos";
  isOfWholeJob?: true;
  isRerun: boolean;
  /** Null for no direct effect: texts, tracks and cuts have their own keys. */
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
