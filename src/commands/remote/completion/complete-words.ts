import type { Argument, Command, Option } from "commander";
import type { ServerEnvironment } from "../servers/choose-server.ts";
import { type Candidate, completeValue } from "./complete-value.ts";

/**
 * Returns lines for the completion scripts. The last word is the one being typed. Never throws: a shell must not print
 * errors while the user types.
 */
export async function completeWords(
  program: Command,
  words: readonly string[],
  environment: ServerEnvironment,
): Promise<string[]> {
  const typed = words.at(-1)!;
  const place = walk(program, words.slice(0, -1));
  const candidates = await candidatesAt(place, typed, { environment, server: place.values.get("--server") });
  return candidates
    .filter(({ value }) => value.startsWith(typed) || value === ":files" || value === ":folders")
    .map(({ value, about }) => (about === "" ? value : `${value}\t${firstSentence(about)}`));
}

type Place = {
  command: Command;
  option: Option | null;
  given: number;
  values: Map<string, string>;
  isAfterDashes: boolean;
};

function walk(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, option: null, given: 0, values: new Map(), isAfterDashes: false };
  for (const word of words) {
    if (place.option) {
      place.values.set(place.option.long ?? "", word);
      place.option = null;
    } else if (word === "--") {
      place.isAfterDashes = true;
    } else if (word.startsWith("-") && !place.isAfterDashes) {
      const [name = "", value] = word.split(/=(.*)/s);
      const option = optionsOf(place.command).find(({ long, short }) => [long, short].includes(name));
      if (option && takesValue(option)) {
        if (value === undefined) place.option = option;
        else place.values.set(option.long ?? "", value);
      }
    } else {
      const below = place.command.commands.find((command) => command.name() === word && place.given === 0);
      if (below) place.command = below;
      else place.given += 1;
    }
  }
  return place;
}

async function candidatesAt(
  { command, option, given, isAfterDashes }: Place,
  typed: string,
  from: { environment: ServerEnvironment; server: string | undefined },
): Promise<Candidate[]> {
  if (option) return await completeValue(nameOfValue(option), option.argChoices, typed, from);
  if (typed.startsWith("-") && !isAfterDashes) {
    return optionsOf(command).flatMap(({ long, description }) => (long ? [{ value: long, about: description }] : []));
  }
  if (command.commands.length > 0 && given === 0) {
    return visible(command).map((below) => ({ value: below.name(), about: below.summary() || below.description() }));
  }
  const expected = argumentAt(command, given);
  return expected ? await completeValue(expected.name(), expected.argChoices, typed, from) : [];
}

function argumentAt(command: Command, given: number): Argument | undefined {
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  return registeredArguments[given] ?? (last?.variadic ? last : undefined);
}

/** `--from <file>` takes a file: the help names the kind of value. */
function nameOfValue({ flags, long }: Option): string {
  return long === "--preset" ? "preset" : (/<([^>]+)>/.exec(flags)?.[1] ?? "");
}

function optionsOf(command: Command): Option[] {
  return [...command.createHelp().visibleOptions(command)];
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

function visible(command: Command): Command[] {
  return [...command.createHelp().visibleCommands(command)].filter((below) => below.name() !== "help");
}

function firstSentence(text: string): string {
  return (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/\s+/g, " ");
}
