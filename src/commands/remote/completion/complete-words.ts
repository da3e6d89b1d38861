import type { Argument, Command, Option } from "commander";
import { JOB_STATUSES, jobTitle } from "#contract/jobs/jobs.ts";
import { TABLE_ENCODINGS } from "#contract/table/encoding/table-encodings.ts";
import { type ApiClient, createApiClient } from "../api/api-client.ts";
import { chooseServer, readSavedServers, savedServersFile, type ServerEnvironment } from "../servers/saved-servers.ts";
import { oneLine } from "../terminal/open-terminal.ts";

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

type Candidate = { value: string; about: string };

const MAX_WAIT_MS = 1_500;
const MOST_JOBS = 30;

type From = { environment: ServerEnvironment; server: string | undefined };

/** `name` is from the help, such as `file` or `id`. */
async function completeValue(
  name: string,
  choices: readonly string[] | undefined,
  typed: string,
  from: From,
): Promise<Candidate[]> {
  if (choices) return plain(choices);
  switch (name) {
    case "file":
    case "files":
    case "link":
      return plain([":files"]);
    case "folder":
      return plain([":folders"]);
    case "encoding":
      return Object.entries(TABLE_ENCODINGS).map(([value, about]) => ({ value, about }));
    case "status":
      return plain(JOB_STATUSES);
    case "name=value":
      return await completeSetting(typed);
    case "server":
    case "url":
      return plain(
        Object.keys((await readSavedServers(savedServersFile(from.environment)).catch(() => null))?.servers ?? {}),
      );
    case "id":
    case "ids":
      return await onServer(from, async (api) => {
        const { listJobs } = await import("#client/calls.ts");
        const { jobs } = await listJobs(api, { page: 1, limit: MOST_JOBS });
        return jobs.map((job) => ({ value: job.id, about: oneLine(`${jobTitle(job)}, ${job.status}`) }));
      });
    case "preset":
      return await onServer(from, async (api) => {
        const { listPresets } = await import("#client/calls.ts");
        return (await listPresets(api)).map((preset) => ({ value: oneLine(preset.name), about: "" }));
      });
    case "set":
      return await onServer(from, async (api) => {
        const { listSets } = await import("#client/calls.ts");
        return (await listSets(api)).map((set) => ({ value: oneLine(set.name), about: set.kind }));
      });
    default:
      return [];
  }
}

async function completeSetting(typed: string): Promise<Candidate[]> {
  const { PRESET_SETTINGS } = await import("#contract/presets/preset-settings.ts");
  const { settingOf } = await import("#contract/job-settings/setting-values.ts");
  const name = PRESET_SETTINGS.find((each) => typed.startsWith(`${each}=`));
  if (name === undefined) return PRESET_SETTINGS.map((each) => ({ value: `${each}=`, about: settingOf(each).label }));
  const row = settingOf(name);
  const values = row.kind === "choice" ? Object.keys(row.choices) : row.kind === "flag" ? ["yes", "no"] : [];
  return plain(values.map((value) => `${name}=${value}`));
}

/** Returns nothing if no response arrives in time. */
async function onServer(
  { environment, server }: From,
  read: (api: ApiClient) => Promise<Candidate[]>,
): Promise<Candidate[]> {
  try {
    const access = await chooseServer(environment, server);
    return await read(createApiClient({ ...access, signal: AbortSignal.timeout(MAX_WAIT_MS) }));
  } catch {
    return [];
  }
}

function plain(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, about: "" }));
}
