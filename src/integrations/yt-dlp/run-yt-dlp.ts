import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";
import { lastLines } from "#contract/last-lines.ts";

const SOCKET_TIMEOUT_SECONDS = 30;
const MAX_TAIL_CHARACTERS = 2_000;
/** With hundreds of formats, a video's description takes about 2 MB. */
const MAX_OUTPUT_CHARACTERS = 32 * 1024 ** 2;

export type YtDlp = {
  /** Null to search PATH. */
  ytDlpPath: string | null;
  environment: Record<string, string>;
  signal: AbortSignal;
};

type Run = {
  service: string;
  address: string;
  /** For --use-extractors: yt-dlp contacts no other site, even after redirects. */
  extractors: string;
  args: readonly string[];
  mostMinutes: number;
  /** `tail` is the end of stderr. */
  explain: (details: ErrorDetails & { tail: string }) => ClipmillError;
};

/**
 * Runs yt-dlp without a shell or its own configuration. Throws ClipmillError: "no_tool" without yt-dlp, "cancelled",
 * "network" after `mostMinutes`, and what `explain` returns.
 */
export async function runYtDlp(
  { ytDlpPath, environment, signal }: YtDlp,
  { service, address, extractors, args, mostMinutes, explain }: Run,
): Promise<string> {
  const always = [
    "--ignore-config",
    "--no-playlist",
    `--use-extractors=${extractors}`,
    `--socket-timeout=${SOCKET_TIMEOUT_SECONDS}`,
    "--no-cache-dir",
    "--no-progress",
    "--no-warnings",
  ];
  // Loads 130 files that most processes never need.
  const { execa } = await import("execa");
  // After --, an address is never parsed as an option.
  const result = await execa(ytDlpPath ?? "yt-dlp", [...always, ...args, "--", address], {
    env: environment,
    extendEnv: false,
    cancelSignal: signal,
    timeout: mostMinutes * 60_000,
    stdin: "ignore",
    maxBuffer: { stdout: MAX_OUTPUT_CHARACTERS, stderr: 64 * 1024 },
    reject: false,
  });
  if (!result.failed) return result.stdout;
  if (result.isCanceled) throw new ClipmillError("cancelled", "The download was canceled.");
  if (result.code === "ENOENT" || result.code === "EACCES") {
    throw new ClipmillError(
      "no_tool",
      `${service} links need yt-dlp, which is not installed. Install it, or set YT_DLP_PATH to its path.`,
      { facts: { ytDlpPath, reason: result.code } },
    );
  }
  const details = { facts: { exitCode: result.exitCode }, tail: lastLines(result.stderr, MAX_TAIL_CHARACTERS) };
  if (result.timedOut) {
    throw new ClipmillError("network", `The download from ${service} took too long. Retry later.`, details);
  }
  throw explain(details);
}
