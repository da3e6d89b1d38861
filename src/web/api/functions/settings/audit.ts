/** All calls throw CallError. */
import type { AuditEntry, AuditResponse } from "#contract/calls.ts";
import { callFunction } from "../call-function.ts";

export const AUDIT_PAGE = 20;

/** Lists the newest first; with `before` (an entry's ID), only older entries. */
export async function loadAudit(before: number | null, signal?: AbortSignal): Promise<AuditEntry[]> {
  const page = before === null ? "" : `&before=${before}`;
  const name = `audit?limit=${AUDIT_PAGE}${page}`;
  const { data } = await callFunction<AuditResponse>(name, undefined, { method: "GET", signal });
  return data;
}
