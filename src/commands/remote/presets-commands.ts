import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Command } from "commander";
import type { Preset } from "#contract/presets/presets.ts";
import { ClipmillError } from "#contract/errors.ts";
import { hasCode } from "#ground/error-code.ts";
import type { ApiClient } from "./api/api-client.ts";
import { onServer } from "./session.ts";
import { alignColumns, oneLine } from "./terminal/open-terminal.ts";

export function addPresetsCommands(program: Command): void {
  const presets = program.command("presets").description("List, export and import presets.");

  onServer(presets.command("list").description("List the presets."), async ({ api, terminal }) => {
    const { listPresets } = await import("#client/calls.ts");
    const found = await listPresets(api);
    for (const { settings: _, ...preset } of found) terminal.event({ event: "preset", ...preset });
    const lines = found.map(({ id, name, is_default: isDefault }) => [
      id,
      `${oneLine(name)}${isDefault ? " (default)" : ""}`,
    ]);
    for (const line of alignColumns(lines)) terminal.data(line);
  });

  onServer(
    presets.command("show <preset>").description("Print the settings of a preset, given by name or ID, as JSON."),
    async ({ api, terminal }, _options, [wanted]) => {
      const preset = await find(api, wanted!);
      terminal.event({ event: "preset", ...preset });
      terminal.data(JSON.stringify(preset.settings, null, 2));
    },
  );

  onServer<{ to?: string; overwrite?: boolean }>(
    presets
      .command("export <preset>")
      .description("Write a preset, given by name or ID, to a file for another server.")
      .option("--to <file>", "the file; - prints it (default: -)")
      .option("--overwrite", "replace the file"),
    async ({ api, terminal }, { to = "-", overwrite = false }, [wanted]) => {
      const { writePresetFile } = await import("#contract/presets/preset-file.ts");
      const preset = await find(api, wanted!);
      const content = writePresetFile(preset);
      if (to === "-") {
        process.stdout.write(content);
        return;
      }
      await writeFile(to, content, { flag: overwrite ? "w" : "wx" }).catch((cause: unknown) => {
        const reason = hasCode(cause, "EEXIST") ? "exists already. Add --overwrite to replace it" : "cannot be written";
        throw new ClipmillError("internal", `${to} ${reason}.`, { cause });
      });
      terminal.event({ event: "file", path: path.resolve(to) });
      terminal.note(`The preset ${preset.name} is in ${to}.`);
    },
  );

  onServer<{ name?: string }>(
    presets
      .command("import <file>")
      .description("Create a preset from an exported file; - reads standard input. Prints its ID.")
      .option("--name <name>", "its name (default: the name in the file)"),
    async ({ api, terminal }, { name }, [file]) => {
      const content =
        file === "-"
          ? await text(process.stdin)
          : await readFile(file!, "utf8").catch((cause: unknown) => {
              throw new ClipmillError("invalid", `${file} cannot be read.`, { cause });
            });
      const { freeName, readPresetFile } = await import("#contract/presets/preset-file.ts");
      const given = readPresetFile(content.replace(/^\uFEFF/, ""));
      if (typeof given === "string") throw new ClipmillError("invalid", given);
      const { addPreset, listPresets } = await import("#client/calls.ts");
      const names = (await listPresets(api)).map((preset) => preset.name);
      const preset = await addPreset(api, { name: name ?? freeName(given.name, names), settings: given.settings });
      terminal.event({ event: "preset", ...preset });
      terminal.data(preset.id);
      const ignored = preset.ignored_settings;
      if (ignored.length > 0) terminal.note(`Warning: the server cannot use ${ignored.join(", ")}.`);
      terminal.note(`The preset ${preset.name} is saved.`);
    },
  );
}

async function find(api: ApiClient, wanted: string): Promise<Preset> {
  const { choosePreset, listPresets } = await import("#client/calls.ts");
  return choosePreset(await listPresets(api), wanted);
}
