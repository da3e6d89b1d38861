import { z } from "zod";
import {
  addConnectionSchema,
  changeConnectionSchema,
  removeConnectionSchema,
  testFieldsSchema,
  testSavedSchema,
} from "#contract/connections/connection-requests.ts";
import { createTokenSchema, revokeTokenSchema } from "#contract/api-tokens.ts";
import { saveSettingsSchema, testKeySchema } from "#contract/settings/save-settings.ts";
import { systemActionSchema } from "#contract/settings/system-action.ts";
import { listAuditSchema } from "#operations/audit/list-audit-entries.ts";
import type { FunctionDocs } from "../function-doc.ts";

const action = (name: string) => ({ action: z.literal(name) });
const readMethod = z.object({ method: z.literal("GET") });

export const SETTINGS_FUNCTIONS: FunctionDocs = {
  "/functions/v1/settings": {
    summary: "Reads or saves settings.",
    calls: [
      {
        name: "read",
        summary: "Returns the settings. For keys, returns only whether they are set.",
        takes: readMethod,
        answers: "SettingsResponse",
      },
      {
        name: "save",
        summary: "Saves settings and returns the current ones.",
        takes: saveSettingsSchema.extend({ method: z.literal("POST").optional() }),
        answers: "SettingsResponse",
      },
    ],
  },
  "/functions/v1/test-key": {
    summary: "Tests a key.",
    calls: [
      {
        name: "test",
        summary: "Tests a key, or the saved one, with its service.",
        takes: testKeySchema,
        answers: "TestKeyResponse",
      },
    ],
  },
  "/functions/v1/connections": {
    summary: "Manages connections to outside storage. Returns only the last four characters of secrets.",
    calls: [
      {
        name: "list",
        summary: "Lists all connections.",
        takes: z.object(action("list")),
        answers: "ConnectionsResponse",
      },
      {
        name: "create",
        summary: "Creates a connection.",
        takes: z.object(action("create")).and(addConnectionSchema),
        answers: "ConnectionResponse",
      },
      {
        name: "update",
        summary: "Replaces all fields of a connection; an omitted secret is kept.",
        takes: z.object(action("update")).and(changeConnectionSchema),
        answers: "ConnectionResponse",
      },
      {
        name: "delete",
        summary: "Deletes a connection.",
        takes: removeConnectionSchema.extend(action("delete")),
        answers: "SuccessResponse",
      },
      {
        name: "test",
        summary: "Tests a saved connection.",
        takes: testSavedSchema.extend(action("test")),
        answers: "TestConnectionResponse",
      },
      {
        name: "test-fields",
        summary: "Tests fields before they are saved.",
        takes: z.object(action("test")).and(testFieldsSchema),
        answers: "TestConnectionResponse",
      },
    ],
  },
  "/functions/v1/embedded-pages": {
    summary: "Reads the addresses of embedded pages.",
    calls: [
      {
        name: "read",
        summary: "Returns the addresses of the Batch Scheduler and Warmup Robot pages; null if not set.",
        takes: readMethod,
        answers: "EmbeddedPagesResponse",
      },
    ],
  },
  "/functions/v1/sessions": {
    summary: "Lists the account's sessions.",
    calls: [
      {
        name: "list",
        summary: "Lists the account's active sessions.",
        takes: readMethod,
        answers: "SessionsResponse",
      },
    ],
  },
  "/functions/v1/tokens": {
    summary: "Manages the account's API tokens.",
    calls: [
      { name: "list", summary: "Lists the account's tokens.", takes: readMethod, answers: "ListTokensResponse" },
      {
        name: "create",
        summary:
          "Creates a token and returns its secret once. If the session is older than 15 minutes, send the current password or an emailed code.",
        takes: createTokenSchema,
        answers: "CreateTokenResponse",
        example: { name: "Nightly", scopes: ["jobs:read", "jobs:write"], expires_at: null },
      },
      { name: "revoke", summary: "Revokes a token.", takes: revokeTokenSchema, answers: "ListTokensResponse" },
    ],
  },
  "/functions/v1/system": {
    summary: "Controls a worker or the queue.",
    calls: [
      {
        name: "control",
        summary: "Controls a worker or the queue and returns the state of both. GET returns the state only.",
        takes: systemActionSchema,
        answers: "SystemResponse",
      },
    ],
  },
  "/functions/v1/audit": {
    summary: "Reads the audit log.",
    method: "get",
    calls: [
      { name: "list", summary: "Lists audit entries, newest first.", takes: listAuditSchema, answers: "AuditResponse" },
    ],
  },
};
