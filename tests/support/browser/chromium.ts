/**
 * Finds the tests' browser: CHROMIUM_PATH; on Linux x64, the npm package @sparticuz/chromium, which needs no system
 * packages; otherwise an installed one.
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
  // Pages of one context share a renderer (see browser-test.ts).
  "--renderer-process-limit=1",
];

/**
 * Chromium sets these while its threads read the environment. Adding a variable moves the environment in memory, and
 * a thread that is reading it may crash. Replacing one does not.
 */
const SET_BY_CHROMIUM = { DBUS_SESSION_BUS_ADDRESS: "disabled:", FC_FONTATIONS: "1", VK_ICD_FILENAMES: "" };

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** Takes seconds on first use, to unpack the bundled browser. */
export function findBrowser(): Browser {
  const given = process.env.CHROMIUM_PATH;
  if (given) return { executablePath: given, args: ARGUMENTS, env: {} };
  if (process.platform === "linux" && process.arch === "x64") return bundled();
  const executablePath = INSTALLED.find((file) => existsSync(file));
  if (!executablePath) throw new Error("No Chromium was found: set CHROMIUM_PATH to one.");
  return { executablePath, args: ARGUMENTS, env: {} };
}

export function launchOptions(browser: Browser): Browser {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...browser, env: { ...Object.fromEntries(inherited), ...browser.env } };
}

function bundled(): Browser {
  const folder = path.join(cacheFolder(), `chromium-${VERSION}`);
  if (!existsSync(path.join(folder, "ready"))) unpack(folder);
  return {
    executablePath: path.join(folder, "chromium"),
    // A separate GPU process without a GPU costs a seventh of the browser's CPU time.
    args: [...ARGUMENTS, "--in-process-gpu"],
    env: {
      LD_LIBRARY_PATH: path.join(folder, "al2023/lib"),
      FONTCONFIG_FILE: path.join(folder, "fonts.conf"),
      ...SET_BY_CHROMIUM,
    },
  };
}

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
  // In a separate process: the package unpacks to TMPDIR, reuses any chromium there, and unpacks its libraries only in
  // a cloud function.
  execFileSync(process.execPath, ["-e", "import('@sparticuz/chromium').then((m) => m.default.executablePath())"], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: draft, AWS_LAMBDA_JS_RUNTIME: "nodejs24.x" },
  });
  // The package's fonts.conf points to /tmp/fonts; without fonts, text is 0 px wide.
  writeFileSync(
    path.join(draft, "fonts.conf"),
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  writeFileSync(path.join(draft, "ready"), "");
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process finished first.
    rmSync(draft, { recursive: true });
    if (!existsSync(path.join(folder, "ready"))) throw error;
  }
}
