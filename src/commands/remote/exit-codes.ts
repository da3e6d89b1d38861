/** docs/CLI.md and `--help` list these codes. */
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";

export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  jobFailed: 4,
  awaitsApproval: 5,
  stopped: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = [
  [EXIT.ok, "Success."],
  [EXIT.failed, "The command failed: server, network or disk."],
  [EXIT.usage, "Invalid arguments, table or settings. Nothing was created."],
  [EXIT.notAllowed, "Not signed in, or the token lacks a scope."],
  [EXIT.jobFailed, "The job failed or was canceled, or some of its files failed."],
  [EXIT.awaitsApproval, "The job is waiting for approval of its samples."],
  [EXIT.stopped, "Stopped with Ctrl-C. A job that was created keeps running."],
];

const EXIT_OF: Partial<Record<ErrorCode, ExitCode>> = {
  invalid: EXIT.usage,
  unauthorized: EXIT.notAllowed,
  forbidden: EXIT.notAllowed,
  cancelled: EXIT.stopped,
};

export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof ClipmillError ? (EXIT_OF[error.code] ?? EXIT.failed) : EXIT.failed;
}
