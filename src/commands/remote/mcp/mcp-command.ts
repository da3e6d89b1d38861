import { type Command, Option } from "commander";
import { createApiClient } from "../api/api-client.ts";
import { chooseServer } from "../servers/saved-servers.ts";
import { endingWell } from "../session.ts";
import { openTerminal } from "../terminal/open-terminal.ts";

type McpOptions = { server?: string; allowChanges?: boolean; files?: string };

export function addMcpCommand(program: Command): void {
  program
    .command("mcp")
    .summary("Serve the same commands to AI assistants (MCP).")
    .description(
      "Serve jobs, sets, presets and the library to an AI assistant over the Model Context Protocol, on standard input and output. Without --allow-changes, nothing can be created, changed or written.",
    )
    .addOption(new Option("--server <url>", "the server (default: CLIPMILL_SERVER, or the last login)"))
    .option("--allow-changes", "also create, cancel and retry jobs, upload files and download outputs")
    .option("--files <folder>", "the only folder whose files can be uploaded, and into which outputs are downloaded")
    .action(async ({ server, allowChanges = false, files }: McpOptions) => {
      const terminal = openTerminal(false);
      await endingWell(terminal, async (signal, whenStopped) => {
        whenStopped("Stopped.");
        const access = await chooseServer(process.env, server);
        const api = createApiClient({ ...access, signal, onWait: terminal.note });
        api.authorization();
        const { serveMcp } = await import("./serve-mcp.ts");
        await serveMcp(api, { canChange: allowChanges, folder: files ?? null });
      });
    });
}
