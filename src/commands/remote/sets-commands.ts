import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { ClipmillError } from "#contract/errors.ts";
import type { TableEncoding } from "#contract/table/encoding/table-encodings.ts";
import type { SavedSet } from "./api/calls.ts";
import { ENCODING_OPTION, readEncoding, decodeText } from "./jobs/decode-text.ts";
import { onServer } from "./session.ts";
import { alignColumns } from "./terminal/open-terminal.ts";
import { oneLine } from "./terminal/printable.ts";

const KINDS = ["captions", "audio"] as const;

export function addSetsCommands(program: Command): void {
  const sets = program.command("sets").description("List and create caption sets and audio sets.");

  onServer(sets.command("list").description("List the sets."), async ({ api, terminal }) => {
    const { listSets } = await import("./api/calls.ts");
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
      const { listSets } = await import("./api/calls.ts");
      const found = (await listSets(api)).filter(
        (set) => [set.id, set.name].includes(wanted!) && (kind === undefined || set.kind === kind),
      );
      if (found.length !== 1) {
        const fault =
          found.length === 0
            ? `There is no set ${wanted}.`
            : `Several sets are named ${wanted}. Specify an ID or --kind.`;
        throw new ClipmillError("invalid", `${fault} \`clipmill sets list\` lists them.`);
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
      const { addSet } = await import("./api/calls.ts");
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
