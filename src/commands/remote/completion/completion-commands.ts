import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Argument, type Command } from "commander";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/**
 * Adds completion, and complete for the scripts. It prints, per candidate, value, tab and description, or `:files` or
 * `:folders` to complete paths. A value that ends with = can be continued.
 */
export function addCompletionCommands(program: Command): void {
  program
    .command("completion")
    .summary("Print the completion script of a shell.")
    .description("Print the script that completes commands, options, jobs and presets in a shell.")
    .addArgument(new Argument("<shell>").choices(SHELLS))
    .addHelpText(
      "after",
      `
Add a line to the shell's configuration:
  bash  eval "$(clipmill completion bash)"        in ~/.bashrc
  zsh   eval "$(clipmill completion zsh)"         in ~/.zshrc, after compinit
  fish  clipmill completion fish | source         in ~/.config/fish/config.fish`,
    )
    .action(async (shell: Shell) => {
      process.stdout.write(
        await readFile(fileURLToPath(import.meta.resolve(`#commands/remote/completion/clipmill.${shell}`))),
      );
    });

  program
    .command("complete", { hidden: true })
    .argument("[words...]", "the words after clipmill; the last one is being typed")
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { completeWords } = await import("./complete-words.ts");
      const lines = await completeWords(program, words.length === 0 ? [""] : words, process.env);
      process.stdout.write(lines.map((line) => `${line}\n`).join(""));
    });
}
