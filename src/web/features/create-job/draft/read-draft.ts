import { choiceNames, settingsWhere } from "#contract/job-settings/setting-values.ts";
import { EMPTY_FORM, type JobForm, NO_PRESET } from "./job-form.ts";
import { fieldOf, optionsOf } from "../setting-fields.ts";

/** Increase when older drafts no longer fit the form. */
export const DRAFT_VERSION = 1;

/** `revision` identifies one save, across tabs. */
export type StoredDraft = { version: typeof DRAFT_VERSION; revision: string; savedAt: number; form: JobForm };

const CHOICES: Record<string, readonly string[]> = {
  mode: ["reference", "custom"],
  ...Object.fromEntries(choiceNames().map((name) => [fieldOf(name), optionsOf(name).map(({ value }) => value)])),
};

/** Defaults for fields added since a draft was saved. */
const NEWER_FIELDS = {
  ...NO_PRESET,
  ...Object.fromEntries(
    settingsWhere((row) => row.stored !== "column").map((name) => [fieldOf(name), EMPTY_FORM[fieldOf(name)]]),
  ),
};

/** Returns null for damaged drafts and other versions or shapes. */
export function readDraft(text: string | null): StoredDraft | null {
  if (text === null) return null;
  const stored = parse(text);
  if (!isRecord(stored) || stored.version !== DRAFT_VERSION) return null;
  if (typeof stored.revision !== "string" || !Number.isFinite(stored.savedAt)) return null;
  const form = isRecord(stored.form) ? { ...NEWER_FIELDS, ...stored.form } : null;
  return hasShapeOf(EMPTY_FORM, form) ? ({ ...stored, form } as StoredDraft) : null;
}

/** Checks for exactly the fields of `sample`, with the same types and valid choices. */
function hasShapeOf(sample: object, value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).length !== Object.keys(sample).length) return false;
  return Object.entries(sample).every(([name, sampleValue]: [string, unknown]) =>
    isFieldLike(name, sampleValue, value[name]),
  );
}

function isFieldLike(name: string, sample: unknown, value: unknown): boolean {
  if (isRecord(sample)) return hasShapeOf(sample, value);
  if (typeof value !== typeof sample) return false;
  // Volumes are the only numbers.
  if (typeof value === "number") return value >= 0 && value <= 1;
  const choices = CHOICES[name];
  return !choices || choices.includes(value as string);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
