/** Fails if the gzipped script and style of a first screen exceed DESIGN's limits. */
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";

type Screen = {
  name: string;
  maxKilobytes: number;
  /** Needed to render the screen; other modules load later. */
  modules: string[];
};

const SCREENS: Record<string, Screen[]> = {
  "vite.config.ts": [
    { name: "sign-in", maxKilobytes: 130, modules: ["app/main.tsx", "features/sign-in/sign-in-page.tsx"] },
    {
      name: "Dashboard",
      maxKilobytes: 190,
      modules: ["app/main.tsx", "app/signed-in-app.tsx", "features/dashboard/dashboard-page.tsx"],
    },
  ],
  "vite.guest.config.ts": [{ name: "guest page", maxKilobytes: 95, modules: ["features/guest/main.tsx"] }],
};

type Files = { chunks: Map<string, Rolldown.OutputChunk>; styles: Rolldown.OutputAsset[] };

const root = path.resolve(import.meta.dirname, "../..");

for (const [config, screens] of Object.entries(SCREENS)) {
  const files = await buildFiles(config);
  for (const { name, maxKilobytes, modules } of screens) {
    const scripts = new Set(modules.flatMap((module) => withImports(files, chunkOf(files, module))));
    const script = [...scripts].reduce((sum, file) => sum + gzipped(files.chunks.get(file)!.code), 0);
    const style = files.styles.reduce((sum, file) => sum + gzipped(file.source), 0);
    const kilobytes = (script + style) / 1_000;
    console.log(`${name}: ${kilobytes.toFixed(1)} kB of script and style, gzipped; at most ${maxKilobytes}`);
    if (kilobytes > maxKilobytes) process.exitCode = 1;
  }
}

async function buildFiles(config: string): Promise<Files> {
  const built = await build({
    root: path.join(root, "src/web"),
    configFile: path.join(root, config),
    logLevel: "error",
    build: { write: false },
  });
  const output = (Array.isArray(built) ? built : [built as Rolldown.RolldownOutput]).flatMap((one) => one.output);
  return {
    chunks: new Map(output.filter((file) => file.type === "chunk").map((chunk) => [chunk.fileName, chunk])),
    styles: output.filter((file) => file.type === "asset").filter((file) => file.fileName.endsWith(".css")),
  };
}

function chunkOf({ chunks }: Files, module: string): string {
  const end = path.join("src/web", module);
  const found = [...chunks.values()].find((chunk) => chunk.moduleIds.some((id) => id.endsWith(end)));
  if (!found) throw new Error(`No chunk of the web app contains ${module}.`);
  return found.fileName;
}

/** Includes static imports, recursively. */
function withImports(files: Files, fileName: string, seen = new Set<string>()): string[] {
  if (seen.has(fileName)) return [];
  seen.add(fileName);
  const imports = files.chunks.get(fileName)?.imports ?? [];
  return [fileName, ...imports.flatMap((imported) => withImports(files, imported, seen))];
}

function gzipped(content: string | Uint8Array): number {
  return gzipSync(content).length;
}
