import { Command } from "commander";
import { pino } from "pino";
import { ClipmillError } from "#contract/errors.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { readConfig } from "./config.ts";
import { startLoneRedirector } from "./start-redirector-program.ts";

const program = new Command("clipmill").description("Bulk processing of short videos, on your own machine.");

program
  .command("start", { isDefault: true })
  .description("Start everything: the web app, the worker and the redirector.")
  .action(async () => {
    const config = readConfig(process.env);
    // Structured logs go to stderr, so that stdout holds only what a person should read.
    const log = pino({ level: config.LOG_LEVEL }, pino.destination(2));
    const { buildWebIfNeeded, WEB_ROOT } = await import("./build-web.ts");
    await buildWebIfNeeded(() => console.log("Building the web app; this takes a few seconds, once."));
    const { startClipmill } = await import("./start-clipmill.ts");
    const clipmill = await startClipmill(config, WEB_ROOT, log);
    stopOnSignal(clipmill.stop);
    console.log(`\nClipmill is ready: ${clipmill.url}`);
    if (clipmill.firstAccount) {
      const { email, generatedPassword: password } = clipmill.firstAccount;
      console.log(
        `Sign in as ${email}${password ? ` with the password ${password}` : " with the password of ADMIN_PASSWORD"}`,
      );
      if (password) console.log("The password is shown this once; keep it.");
    }
    console.log("");
  });

program
  .command("redirector")
  .description("Start the redirector alone.")
  .action(async () => {
    const config = readConfig(process.env);
    const redirector = await startLoneRedirector(config, pino({ level: config.LOG_LEVEL }, pino.destination(2)));
    stopOnSignal(redirector.close);
    console.log(`The redirector is ready: http://${config.HOST}:${redirector.port}`);
  });

// The redirector starts fast and stays small: it never loads what the other commands need.
if (process.argv[2] !== "redirector") {
  const [{ addUserCommands }, { addSecretCommands }] = await Promise.all([
    import("./user-commands.ts"),
    import("./secret-commands.ts"),
  ]);
  addUserCommands(program);
  addSecretCommands(program);
}

/**
 * One Ctrl-C may arrive several times: the terminal sends it to everybody, and npm and the launcher each pass it on. So
 * only a signal that comes later than this is a second one.
 */
const ECHO_MS = 1_000;

/** The first signal stops cleanly; a second one ends the process at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let firstMs: number | null = null;
  const handle = (exitCode: number): void => {
    if (firstMs !== null) {
      if (performance.now() - firstMs > ECHO_MS) process.exit(exitCode);
      return;
    }
    firstMs = performance.now();
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.on("SIGINT", () => handle(130));
  process.on("SIGTERM", () => handle(143));
}

function fail(error: unknown): never {
  console.error(error instanceof ClipmillError || error instanceof AuthError ? error.message : error);
  process.exit(1);
}

await program.parseAsync().catch(fail);
