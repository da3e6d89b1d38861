import { SuccessResponse } from "#contract/calls.ts";
import {
  addConnectionSchema,
  changeConnectionSchema,
  removeConnectionSchema,
  testFieldsSchema,
  testSavedSchema,
} from "#contract/connections/connection-requests.ts";
import { ConnectionResponse, ConnectionsResponse, TestConnectionResponse } from "#contract/connections/connections.ts";
import { addConnection, changeConnection, removeConnection } from "#operations/connections/change-connection.ts";
import { listConnections } from "#operations/connections/list-connections.ts";
import { testConnection } from "#operations/connections/test-connection.ts";
import { type CallFunction, defineCall, orList, PRESENT, SUCCESS } from "../define-call.ts";

/** A failed test has status 200 and `isValid` false. */
export const CONNECTIONS_FUNCTION: CallFunction = {
  path: "connections",
  summary: "Manages connections to outside storage. Returns only the last four characters of secrets.",
  scope: "settings",
  unknown: (actions) => `action: must be ${orList(actions)}`,
  calls: [
    defineCall({
      name: "list",
      summary: "Lists all connections.",
      isRead: true,
      answers: ConnectionsResponse,
      run: async (context) => ({ data: await listConnections(context) }),
    }),
    defineCall({
      name: "create",
      summary: "Creates a connection.",
      takes: addConnectionSchema,
      answers: ConnectionResponse,
      runUnchecked: async (context, body) => ({ data: await addConnection(context, body) }),
    }),
    defineCall({
      name: "update",
      summary: "Replaces all fields of a connection; an omitted secret is kept.",
      takes: changeConnectionSchema,
      answers: ConnectionResponse,
      runUnchecked: async (context, body) => ({ data: await changeConnection(context, body) }),
    }),
    defineCall({
      name: "delete",
      summary: "Deletes a connection.",
      takes: removeConnectionSchema,
      answers: SuccessResponse,
      runUnchecked: async (context, body) => {
        await removeConnection(context, body);
        return SUCCESS;
      },
    }),
    defineCall({
      name: "test-fields",
      summary: "Tests fields before they are saved.",
      when: { action: "test", kind: PRESENT },
      isRead: true,
      takes: testFieldsSchema,
      answers: TestConnectionResponse,
      runUnchecked: testConnection,
    }),
    defineCall({
      name: "test",
      summary: "Tests a saved connection.",
      isRead: true,
      takes: testSavedSchema,
      answers: TestConnectionResponse,
      runUnchecked: testConnection,
    }),
  ],
};
