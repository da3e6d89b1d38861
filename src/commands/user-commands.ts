import { text } from "node:stream/consumers";
import type { Command } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { createAccount } from "#operations/accounts/create-account.ts";
import { disableAccount, enableAccount, resetPassword } from "#operations/accounts/disable-account.ts";
import { type AccountLine, listAccounts } from "#operations/accounts/list-accounts.ts";
import { createSignInLink } from "#operations/accounts/mail/create-sign-in-link.ts";
import { generatePassword } from "#operations/accounts/password.ts";
import { type ActorContext, TERMINAL } from "#operations/audit/write-audit.ts";
import type { Context } from "#operations/context.ts";
import { readConfig } from "../config.ts";
import { askHidden } from "./ask-hidden.ts";
import { withDatabase } from "./with-database.ts";

type PasswordOptions = { generate?: boolean };

const GENERATE = "generate and print a password instead of prompting for one";

/** Passwords are never arguments, which stay in the shell's history. */
export function addUserCommands(program: Command): void {
  const user = program.command("user").description("Manage accounts.");

  user
    .command("add <email>")
    .description("Create an account. Prompts for the password, or reads it from the first line of standard input.")
    .option("--generate", GENERATE)
    .action(async (email: string, options: PasswordOptions) => {
      const { password, isGenerated } = await choosePassword(options);
      const account = await onConfigured((context) => createAccount(context, { email, password }));
      console.log(`${account.email} can sign in now.`);
      if (isGenerated) printPassword(password);
      noteHiddenForm(account.email);
    });

  user
    .command("list")
    .description("List the accounts.")
    .action(async () => {
      for (const account of await onConfigured(listAccounts)) {
        const facts = [
          account.isDisabled ? "disabled" : "enabled",
          describeSignIn(account),
          account.lastSignInAt ? `last signed in ${account.lastSignInAt}` : "never signed in",
        ];
        console.log(`${account.email}  ${facts.join(", ")}`);
      }
    });

  user
    .command("disable <email>")
    .description("Disable an account immediately. Its jobs and sets are kept.")
    .action(async (email: string) => {
      await onConfigured((context) => disableAccount(context, email));
      console.log(`${email} is signed out everywhere and can no longer sign in.`);
    });

  user
    .command("enable <email>")
    .description("Enable a disabled account.")
    .action(async (email: string) => {
      await onConfigured((context) => enableAccount(context, email));
      console.log(`${email} can sign in again.`);
    });

  user
    .command("reset-password <email>")
    .description(
      "Set a new password for an account and sign it out everywhere. The account can then sign in with it even if it signed in at the identity provider before.",
    )
    .option("--generate", GENERATE)
    .option("--remove-second-step", "also remove its authenticator apps, for example when the phone is lost")
    .action(async (email: string, options: PasswordOptions & { removeSecondStep?: boolean }) => {
      const { password, isGenerated } = await choosePassword(options);
      const removesSecondStep = options.removeSecondStep ?? false;
      const reset = { email, password, removesSecondStep };
      const { apiTokens } = await onConfigured((context) => resetPassword(context, reset));
      console.log(`${email} has a new password and is signed out everywhere.`);
      if (apiTokens > 0) {
        const tokens = apiTokens === 1 ? "1 API token" : `${apiTokens} API tokens`;
        console.log(
          `Still valid: ${tokens}. To revoke, sign in as ${email} and open Settings → Automation → API Tokens.`,
        );
      }
      if (isGenerated) printPassword(password);
      noteHiddenForm(email);
    });

  user
    .command("sign-in-link <email>")
    .description(
      "Print a one-time sign-in link, valid for an hour, that needs no password or identity provider. Open it yourself: anyone who has it can sign in.",
    )
    .action(async (email: string) => {
      const { PUBLIC_URL, PORT } = readConfig(process.env);
      const publicUrl = PUBLIC_URL ?? `http://localhost:${PORT}`;
      console.log(await onConfigured((context) => createSignInLink(context, { email, publicUrl })));
    });
}

async function choosePassword(options: PasswordOptions): Promise<{ password: string; isGenerated: boolean }> {
  const typed = options.generate ? "" : await promptNewPassword();
  return typed ? { password: typed, isGenerated: false } : { password: generatePassword(), isGenerated: true };
}

function describeSignIn({ hasIdentity, hasSecondStep }: AccountLine): string {
  if (hasSecondStep) return hasIdentity ? "identity provider and a second step" : "with a second step";
  return hasIdentity ? "identity provider" : "password only";
}

function noteHiddenForm(email: string): void {
  if (readConfig(process.env).PASSWORD_SIGN_IN === "on") return;
  console.log(`Signing in with a password is turned off. To sign in now, run: clipmill user sign-in-link ${email}`);
}

function printPassword(password: string): void {
  console.log(`The password is ${password}`);
  console.log("It is shown only once. Save it now.");
}

function onConfigured<Result>(task: (context: Pick<Context, "db"> & ActorContext) => Promise<Result>): Promise<Result> {
  return withDatabase(readConfig(process.env), ({ db }) => task({ db, actor: TERMINAL }));
}

/**
 * Typed twice without echo, or the first line of piped input; "" if empty. Throws ClipmillError "invalid" if the two
 * differ, "cancelled" on Ctrl-C or Ctrl-D.
 */
async function promptNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).split(/\r?\n/)[0] ?? "";
  const password = await askHidden("New password (leave empty to generate one): ");
  if (password && (await askHidden("Repeat the new password: ")) !== password) {
    throw new ClipmillError("invalid", "The passwords don't match. Nothing was changed.");
  }
  return password;
}
