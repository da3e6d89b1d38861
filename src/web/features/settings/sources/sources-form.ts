import type { SettingsResponse } from "#contract/settings/settings.ts";
import type { SourceHostName } from "#contract/sources/link-host.ts";
import { OPTIONAL_HOSTS } from "#contract/sources/link-hosts.ts";

export type SourcesForm = Partial<Record<SourceHostName, boolean>>;

export function toSourcesForm({ source_hosts: on }: Pick<SettingsResponse, "source_hosts">): SourcesForm {
  return Object.fromEntries(OPTIONAL_HOSTS.map((name) => [name, on.includes(name)]));
}

/** Changes only edited hosts: another tab may have changed the others. */
export function toSourceHosts(
  form: SourcesForm,
  edited: ReadonlySet<string>,
  { source_hosts: on }: Pick<SettingsResponse, "source_hosts">,
): SourceHostName[] {
  return OPTIONAL_HOSTS.filter((name) => (edited.has(name) ? form[name] : on.includes(name)));
}
