import { type Preset, PRESET_LIMITS } from "./presets.ts";

/** Increases when older versions can no longer read the file. */
const FILE_VERSION = 1;

export type PresetFile = { name: string; settings: Record<string, unknown> };

/** Omits ids of this installation's sets; the settings have their current values. */
export function writePresetFile({ name, settings }: Pick<Preset, "name" | "settings">): string {
  const portable = { ...settings, caption_set_id: null, audio_set_id: null };
  return `${JSON.stringify({ clipmill_preset: FILE_VERSION, name, settings: portable }, null, 2)}\n`;
}

/** Returns a sentence for any other file. */
export function readPresetFile(text: string): PresetFile | string {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return "This file is not valid JSON. Choose a file that was exported as a preset.";
  }
  if (!isRecord(file) || !isRecord(file.settings) || typeof file.name !== "string" || file.name.trim() === "") {
    return "This file is not a preset: it needs a name and settings.";
  }
  if (typeof file.clipmill_preset === "number" && file.clipmill_preset > FILE_VERSION) {
    return "A newer version of Clipmill exported this preset. Upgrade Clipmill to import it.";
  }
  return { name: shorten(file.name.trim()), settings: file.settings };
}

/** Adds a number to a taken name, ignoring case. */
export function freeName(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((one) => one.toLowerCase()));
  let free = name;
  for (let number = 2; names.has(free.toLowerCase()); number += 1) free = `${name} ${number}`;
  return free;
}

function shorten(name: string): string {
  const characters = Array.from(name);
  const most = PRESET_LIMITS.nameCharacters / 2;
  return characters.length <= most ? name : `${characters.slice(0, most).join("")}...`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
