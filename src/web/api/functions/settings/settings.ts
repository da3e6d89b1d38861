/** All calls throw CallError. */
import type { AuditEntry, AuditResponse, EmbeddedPages, EmbeddedPagesResponse } from "#contract/calls.ts";
import type { PageSetting } from "#contract/settings/embedded-pages.ts";
import type { ModelSetting } from "#contract/settings/models.ts";
import type { JobPreferences, ServiceKey, SettingsResponse, TestKeyResponse } from "#contract/settings/settings.ts";
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { callFunction } from "../call-function.ts";

export const settingsKey = ["settings"] as const;

/** Returns only the state and last four characters of service keys. */
export function loadSettings(signal?: AbortSignal): Promise<SettingsResponse> {
  return callFunction("settings", { method: "GET" }, { signal });
}

/** Absent fields and keys of "" stay unchanged; null removes a setting. */
export type SettingsChange = Partial<
  Record<ServiceKey | PageSetting | ModelSetting, string | null> &
    JobPreferences &
    Pick<
      SettingsResponse,
      "glossary" | "output_retention_days" | "prefetch_sources" | "source_hosts" | "transcript_names"
    > & {
      confirms_rights: boolean;
    }
>;

export function saveSettings(change: SettingsChange): Promise<SettingsResponse> {
  return callFunction("settings", change);
}

/** Tests the saved key if `key` is "". Rejections are results, not errors. */
export function testKey(name: ServiceKey, key: string): Promise<TestKeyResponse> {
  return callFunction("test-key", { name, key });
}

export const embeddedPagesKey = ["embedded-pages"] as const;

export async function readEmbeddedPages(): Promise<EmbeddedPages> {
  const { data } = await callFunction<EmbeddedPagesResponse>("embedded-pages", { method: "GET" });
  return data;
}

// All calls throw CallError.

export const AUDIT_PAGE = 20;

/** Lists the newest first; with `before` (an entry's ID), only older entries. */
export async function loadAudit(before: number | null, signal?: AbortSignal): Promise<AuditEntry[]> {
  const page = before === null ? "" : `&before=${before}`;
  const name = `audit?limit=${AUDIT_PAGE}${page}`;
  const { data } = await callFunction<AuditResponse>(name, undefined, { method: "GET", signal });
  return data;
}

// All calls throw CallError.

export const systemKeys = { all: ["system"], card: ["system", "card"], claiming: ["system", "claiming"] } as const;

export function loadSystem(signal?: AbortSignal): Promise<SystemResponse> {
  return callFunction("system", undefined, { method: "GET", signal });
}

/** Cheap enough for polling. */
export function loadClaiming(signal?: AbortSignal): Promise<ClaimingResponse> {
  return callFunction("system?part=claiming", undefined, { method: "GET", signal });
}

export function steerSystem(action: SystemAction): Promise<SystemResponse> {
  return callFunction("system", action);
}
