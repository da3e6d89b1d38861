/** Loads none of the server's modules. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import { UPLOAD_USES, type UploadUse } from "#contract/library.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import type { SavedSet } from "#client/calls.ts";
import { addCompletionCommands } from "./completion/completion-commands.ts";
import { EXIT_MEANINGS } from "./exit-codes.ts";
import { addJobsCommands } from "./jobs/jobs-commands.ts";
import { decodeText, ENCODING_OPTION, readEncoding } from "./jobs/local-file.ts";
import { addLoginCommands } from "./login-commands.ts";
import { addMcpCommand } from "./mcp/mcp-command.ts";
import { addPresetsCommands } from "./presets-commands.ts";
import { onServer } from "./session.ts";
import { alignColumns, oneLine } from "./terminal/open-terminal.ts";

const GROUP = "On a server:";

export function addRemoteCommands(program: Command): void {
  program.commandsGroup(GROUP);
  const before = program.commands.length;
  addJobsCommands(program);
  addSetsCommands(program);
  addPresetsCommands(program);
  addLibraryCommands(program);
  addLoginCommands(program);
  addMcpCommand(program);
  addCompletionCommands(program);
  const help = `\nExit codes:\n${EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`).join("\n")}`;
  for (const command of program.commands.slice(before)) command.addHelpText("afterAll", help);
}

function addLibraryCommands(program: Command): void {
  const library = program.command("library").description("Upload files to a server's library, and list them.");

  onServer<{ use?: UploadUse }>(
    library
      .command("add <files...>")
      .description("Upload files, and print their links. Files that the library already has are not sent again.")
      .addOption(new Option("--use <use>", "what they are for (default: by the file extension)").choices(UPLOAD_USES)),
    async (session, { use }, words) => {
      const { isMediaFile, lookAtFile } = await import("./jobs/local-file.ts");
      const { checksumFiles, uploadFiles } = await import("./jobs/upload-files.ts");
      const byEnding = (file: string): UploadUse =>
        use ?? (["image", "subtitles", "video", "music"] as const).find((each) => isMediaFile(file, each)) ?? "video";
      const looked = await Promise.all(
        words.map(async (word) => ({ word, file: await lookAtFile(word, byEnding(word)) })),
      );
      const files = looked.map(({ word, file }) => {
        if ("problem" in file) throw new ClipmillError("invalid", `${word} ${file.problem}. Nothing was uploaded.`);
        return file;
      });
      session.whenStopped(
        "Stopped. Run the same command again to continue. Files that are already uploaded are not sent again.",
      );
      await uploadFiles(session, await checksumFiles(files), ({ path }, { file, was }) => {
        session.terminal.event({ event: "upload", path, link: file.link, was });
        session.terminal.data(file.link);
      });
    },
  );

  onServer(library.command("list").description("List the files of the library."), async ({ api, terminal }) => {
    const { listLibrary } = await import("#client/calls.ts");
    const files = await listLibrary(api);
    for (const { mediaUrl: _, thumbnailUrl: __, ...file } of files) terminal.event({ event: "library", ...file });
    const lines = files.map(({ link, kind, name }) => [link, kind, oneLine(name)]);
    for (const line of alignColumns(lines)) terminal.data(line);
  });
}

const KINDS = ["captions", "audio"] as const;

function addSetsCommands(program: Command): void {
  const sets = program.command("sets").description("List and create caption sets and audio sets.");

  onServer(sets.command("list").description("List the sets."), async ({ api, terminal }) => {
    const { listSets } = await import("#client/calls.ts");
    const found = await listSets(api);
    for (const { items, ...set } of found) terminal.event({ event: "set", ...set, items: items.length });
    const lines = found.map(({ id, kind, name, items }) => [id, kind, String(items.length), oneLine(name)]);
    for (const line of alignColumns(lines)) terminal.data(line);
  });

  onServer<{ kind?: SavedSet["kind"] }>(
    sets
      .command("show <set>")
      .description("Print the captions or links of a set, given by name or ID.")
      .addOption(kindOption()),
    async ({ api, terminal }, { kind }, [wanted]) => {
      const { listSets } = await import("#client/calls.ts");
      const found = (await listSets(api)).filter(
        (set) => [set.id, set.name].includes(wanted!) && (kind === undefined || set.kind === kind),
      );
      if (found.length !== 1) {
        const problem =
          found.length === 0
            ? `There is no set ${wanted}.`
            : `Several sets are named ${wanted}. Specify an ID or --kind.`;
        throw new ClipmillError("invalid", `${problem} \`clipmill sets list\` lists them.`);
      }
      terminal.event({ event: "set", ...found[0] });
      for (const item of found[0]!.items) terminal.data(item);
    },
  );

  onServer<{ kind: SavedSet["kind"]; from: string; encoding?: TableEncoding }>(
    sets
      .command("create <name>")
      .description("Create a set from a file with a caption or link per line, and print its ID.")
      .requiredOption("--from <file>", "the file; - reads standard input")
      .option(...ENCODING_OPTION, readEncoding)
      .addOption(kindOption().makeOptionMandatory()),
    async ({ api, terminal }, { kind, from, encoding }, [name]) => {
      const bytes =
        from === "-"
          ? await buffer(process.stdin)
          : await readFile(from).catch((cause: unknown) => {
              throw new ClipmillError("invalid", `${from} cannot be read.`, { cause });
            });
      const items = decodeText(bytes, { from, encoding: encoding ?? null })
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "");
      const { addSet } = await import("#client/calls.ts");
      const set = await addSet(api, { kind, name: name!, items });
      terminal.event({ event: "set", ...set, items: set.items.length });
      terminal.data(set.id);
      terminal.note(`The set ${name} has ${set.items.length} ${kind === "captions" ? "captions" : "links"}.`);
    },
  );
}

function kindOption(): Option {
  return new Option("--kind <kind>", "the kind of set").choices(KINDS);
}
