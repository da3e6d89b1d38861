/** npm run dev: hot reload, jobs in every status and an offline twin of Google Drive. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createServer, type Plugin } from "vite";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";
import { serveGallery } from "./gallery/serve-gallery.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const DATA_DIR = path.join(ROOT, "data/dev");
const BACK_END_PORT = 8079;

await mkdir(DATA_DIR, { recursive: true });
const twin = await startDriveTwin();
await addTwinFiles();
const backEnd = startBackEnd();
const vite = await createServer({
  configFile: path.join(ROOT, "vite.config.ts"),
  plugins: [serveGallery(), serveGuestPage()],
  server: { port: 5173, proxy: proxyTo(`http://127.0.0.1:${BACK_END_PORT}`) },
});
await vite.listen();

console.log(`
Clipmill for development: http://127.0.0.1:5173 (component gallery: /gallery)
Sign in as dev@clipmill.local with the password "development".
Links on the twin of Google Drive:
  ${twin.links("good")}          a clip
  ${twin.links("private")}       not shared
  ${twin.links("quota")}         quota exceeded
  ${twin.links("slow")}          a slow download
`);
process.once("SIGINT", () => void stop());
process.once("SIGTERM", () => void stop());

function startBackEnd(): ChildProcess {
  return spawn(process.execPath, ["--watch", "--watch-preserve-output", path.join(ROOT, "dev/back-end.ts")], {
    stdio: "inherit",
    env: {
      ...process.env,
      DATA_DIR,
      PORT: String(BACK_END_PORT),
      ADMIN_EMAIL: "dev@clipmill.local",
      ADMIN_PASSWORD: "development",
      ...twin.environment,
    },
  });
}

async function addTwinFiles(): Promise<void> {
  const file = path.join(DATA_DIR, "twin-clip.mp4");
  await makeClip(file, { width: 720, height: 1280, seconds: 8 });
  const facts = { path: file, name: "Pour over, take 2.mp4", mimeType: "video/mp4" };
  twin.add({ ...facts, id: "good" });
  twin.add({ ...facts, id: "private", behaviour: { kind: "notShared" } });
  twin.add({ ...facts, id: "quota", behaviour: { kind: "quotaExceeded" } });
  twin.add({ ...facts, id: "slow", behaviour: { kind: "slowDrip", bytesPerSecond: 100_000 } });
}

function proxyTo(target: string): Record<string, { target: string; ws?: boolean }> {
  return {
    "/auth": { target },
    "/rest": { target },
    "/functions": { target },
    "/downloads": { target },
    "/uploads": { target },
    "/mcp": { target },
    "/.well-known": { target },
    "^/oauth/(register|token)": { target },
    "/realtime": { target, ws: true },
    // The page itself is /guest.html.
    "^/guest/[^/]+/.+": { target },
  };
}

function serveGuestPage(): Plugin {
  return {
    name: "guest-page",
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        if (/^\/guest\/[\w-]+$/.test(request.url ?? "")) request.url = "/guest.html";
        next();
      });
    },
  };
}

async function stop(): Promise<void> {
  backEnd.kill("SIGTERM");
  await vite.close();
  await twin.close();
  process.exit(0);
}
