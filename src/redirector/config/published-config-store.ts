import { createTurns } from "#ground/slots.ts";
import type { Logger } from "pino";
import { ClipmillError } from "#contract/errors.ts";
import { linesOf, parseHeader, type PublishReceipt } from "#contract/cloak/published-config.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { DocumentFiles } from "./document-files.ts";
import { buildRoutingTable, type Continuing, type RoutingTable } from "./routing-table.ts";

export type ConfigStore = {
  /** Null until the first publish. */
  current(): RoutingTable | null;
  /**
   * Resolves once the document is on disk and served. Throws ClipmillError "conflict" if it is not newer, "invalid",
   * "too_large", "no_space" or "unavailable", and changes nothing.
   */
  replace(document: Buffer): Promise<PublishReceipt>;
};

/** Serves the newest intact document on disk. */
export async function openConfigStore(
  files: DocumentFiles,
  continuing: Continuing & { adopt(table: RoutingTable): void },
  log: Logger,
): Promise<ConfigStore> {
  let current = await loadNewest(files, continuing, log);
  if (current) continuing.adopt(current);
  const inTurn = createTurns();

  const replace = async (document: Buffer): Promise<PublishReceipt> => {
    const parsed = splitDocument(document);
    const served = current?.header.version ?? 0;
    if (parsed.header.version <= served) {
      throw new ClipmillError(
        "conflict",
        `The redirector already serves version ${served} and rejected version ${parsed.header.version}, which is not newer.`,
      );
    }
    const table = await buildRoutingTable(parsed.header, linesOf(parsed.lines), continuing);
    await files.write(table.header.version, document);
    current = table;
    continuing.adopt(table);
    const { version, digest, routes } = table.header;
    log.info({ version, digest, routes }, "serving a new version");
    return { version, digest, routes };
  };
  return {
    current: () => current,
    replace(document) {
      // Sequential: each document is compared with the one before.
      return inTurn(() => replace(document));
    },
  };
}

async function loadNewest(files: DocumentFiles, continuing: Continuing, log: Logger): Promise<RoutingTable | null> {
  for (const version of await files.versions()) {
    try {
      const { header, lines } = splitDocument(await files.read(version));
      return await buildRoutingTable(header, linesOf(lines), continuing);
    } catch (error) {
      log.error({ err: error, version }, "could not read a published version; serving the previous one");
    }
  }
  return null;
}

function splitDocument(document: Buffer) {
  const end = document.indexOf("\n");
  if (end === -1) throw new ClipmillError("invalid", "The document is not valid: it has no header.");
  const header = parseHeader(document.toString("utf8", 0, end));
  const lines = document.subarray(end + 1);
  if (sha256Of(lines) !== header.digest) {
    throw new ClipmillError("invalid", "The document is not valid: its content does not match its header.");
  }
  return { header, lines: lines.toString("utf8") };
}
