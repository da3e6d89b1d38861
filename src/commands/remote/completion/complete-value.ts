import { JOB_STATUSES, jobTitle } from "#contract/jobs/jobs.ts";
import { TABLE_ENCODINGS } from "#contract/table/encoding/table-encodings.ts";
import { createApiClient, type ApiClient } from "../api/api-client.ts";
import { chooseServer, type ServerEnvironment } from "../servers/choose-server.ts";
import { readSavedServers, savedServersFile } from "../servers/saved-servers.ts";
import { oneLine } from "../terminal/printable.ts";

export type Candidate = { value: string; about: string };

const MAX_WAIT_MS = 1_500;
const MOST_JOBS = 30;

type From = { environment: ServerEnvironment; server: string | undefined };

/** `name` is from the help, such as `file` or `id`. */
export async function completeValue(
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
        const { listJobs } = await import("../api/calls.ts");
        const { jobs } = await listJobs(api, { page: 1, limit: MOST_JOBS });
        return jobs.map((job) => ({ value: job.id, about: oneLine(`${jobTitle(job)}, ${job.status}`) }));
      });
    case "preset":
      return await onServer(from, async (api) => {
        const { listPresets } = await import("../api/calls.ts");
        return (await listPresets(api)).map((preset) => ({ value: oneLine(preset.name), about: "" }));
      });
    case "set":
      return await onServer(from, async (api) => {
        const { listSets } = await import("../api/calls.ts");
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
