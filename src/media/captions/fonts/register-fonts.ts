import { readFileSync } from "node:fs";
import { GlobalFonts } from "@napi-rs/canvas";
import type { FontFile } from "./caption-fonts.ts";
import { removeCharacters } from "./character-map.ts";

const registered = new Set<string>();

export function registerFonts(fonts: readonly FontFile[]): void {
  for (const { family, path, leavesOut } of fonts) {
    if (registered.has(family)) continue;
    const key = leavesOut
      ? GlobalFonts.register(removeCharacters(readFileSync(path), leavesOut), family)
      : GlobalFonts.registerFromPath(path, family);
    if (!key) throw new Error(`The font ${path} cannot be read.`);
    registered.add(family);
  }
}
