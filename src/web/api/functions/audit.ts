/** The calls about who did what. All of them throw CallError. */
import type { AuditEntry, AuditResponse } from "#contract/calls.ts";
import { callFunction } from "./call-function.ts";

/** Entries of one page. */
export const AUDIT_PAGE = 20;

/** Who did what, newest first; those before the entry `before`, when one is given. */
export async function loadAudit(before: number | null, signal?: AbortSignal): Promise<AuditEntry[]> {
  const page = before === null ? "" : `&before=${before}`;
  const name = `audit?limit=${AUDIT_PAGE}${page}`;
  const { data } = await callFunction<AuditResponse>(name, undefined, { method: "GET", signal });
  return data;
}
