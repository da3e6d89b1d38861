import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import { isMissing } from "#ground/error-code.ts";
import { replaceFile } from "#ground/sync-files.ts";

const schema = z.object({
  default: z.string().nullable(),
  servers: z.record(z.string(), z.object({ token: z.string() })),
});

export type SavedServers = z.output<typeof schema>;

export type UserFolders = { XDG_CONFIG_HOME?: string | undefined; HOME?: string | undefined };

export function savedServersFile({ XDG_CONFIG_HOME, HOME }: UserFolders): string {
  // The XDG specification ignores relative paths.
  const isUsable = XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME);
  const config = isUsable ? XDG_CONFIG_HOME : path.join(HOME ?? os.homedir(), ".config");
  return path.join(config, "clipmill", "servers.json");
}

/** Empty without a file. Removes others' permissions. Throws ClipmillError "internal" if the file cannot be read. */
export async function readSavedServers(file: string): Promise<SavedServers> {
  try {
    const text = await readFile(file, "utf8");
    // Copied or restored by another program.
    if (process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    if (isMissing(cause)) return { default: null, servers: {} };
    throw new ClipmillError("internal", `${file} cannot be read. Delete it, then run \`clipmill login\` again.`, {
      cause,
    });
  }
}

/** Throws ClipmillError "internal" if the file cannot be written. */
export async function changeSavedServers(file: string, change: (saved: SavedServers) => SavedServers): Promise<void> {
  const saved = change(await readSavedServers(file));
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify(saved, null, 2)}\n`);
  } catch (cause) {
    throw new ClipmillError("internal", `${file} cannot be written. The token was not saved.`, { cause });
  }
}
