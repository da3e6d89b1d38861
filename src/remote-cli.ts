/** The command line as its own package (clients/cli): only the commands that use a server through its API. */
import { REMOTE, runCommandLine } from "#commands/run-command-line.ts";

await runCommandLine([REMOTE], REMOTE);
