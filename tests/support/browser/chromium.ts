/**
 * The browser the tests drive: CHROMIUM_PATH if set; on Linux x64 the Chromium that comes with the npm package
 * @sparticuz/chromium (with its own libraries and a font, so no system package is needed); else one that is installed.
 */
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";

type Browser = { executablePath: string; args: string[]; env: Record<string, string> };

const VERSION = "153";
const MODULES = path.resolve(import.meta.dirname, "../../../node_modules");

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Where the browser is and what it needs to start. Unpacks the bundled one on first use (some seconds). */
export function findBrowser(): Browser {
  const given = process.env.CHROMIUM_PATH;
  if (given) return { executablePath: given, args: ARGUMENTS, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return bundled();
  const executablePath = INSTALLED.find((file) => existsSync(file));
  if (!executablePath) throw new Error("No Chromium was found: set CHROMIUM_PATH to one.");
  return { executablePath, args: ARGUMENTS, env: {} };
}

/** The browser as Playwright's `launchOptions`: it starts with this process's environment and its own on top. */
export function launchOptions(browser: Browser): Browser {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...browser, env: { ...Object.fromEntries(inherited), ...browser.env } };
}

function bundled(): Browser {
  const folder = path.join(cacheFolder(), `chromium-${VERSION}`);
  if (!existsSync(path.join(folder, "ready"))) unpack(folder);
  return {
    executablePath: path.join(folder, "chromium"),
    args: ARGUMENTS,
    env: { LD_LIBRARY_PATH: path.join(folder, "al2023/lib"), FONTCONFIG_FILE: path.join(folder, "fonts.conf") },
  };
}

/** In node_modules; in the system's temporary folder, one per user, where node_modules may not be written. */
function cacheFolder(): string {
  const preferred = path.join(MODULES, ".cache");
  if (existsSync(path.join(preferred, `chromium-${VERSION}`, "ready"))) return preferred;
  try {
    mkdirSync(preferred, { recursive: true });
    accessSync(preferred, constants.W_OK);
    return preferred;
  } catch {
    const own = path.join(tmpdir(), `clipmill-tests-${userInfo().username}`);
    mkdirSync(own, { recursive: true, mode: 0o700 });
    return own;
  }
}

function unpack(folder: string): void {
  const draft = mkdtempSync(`${folder}.`);
  // The package unpacks into the temporary folder, takes any chromium it finds there for its own, and brings its
  // libraries only when it believes it runs in a cloud function: so a process and a temporary folder of its own.
  execFileSync(process.execPath, ["-e", "import('@sparticuz/chromium').then((m) => m.default.executablePath())"], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" },
  });
  // The package's own fonts.conf names /tmp/fonts; without a font every text is 0 px wide.
  writeFileSync(
    path.join(draft, "fonts.conf"),
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  writeFileSync(path.join(draft, "ready"), "");
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was faster, which is as good.
    rmSync(draft, { recursive: true });
    if (!existsSync(path.join(folder, "ready"))) throw error;
  }
}
