import { ClipmillError } from "#contract/errors.ts";

export function requirePlainName(name: string): string {
  if (name !== "" && name !== "." && name !== ".." && !/[/\0]/.test(name)) return name;
  throw new ClipmillError(
    "bad_link",
    "Names of files and folders can't be empty or contain a slash. Choose another name.",
  );
}
