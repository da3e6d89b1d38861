import { isIP } from "node:net";
import type { ConnectionKind } from "#contract/connections/connections.ts";
import { ClipmillError } from "#contract/errors.ts";
import { isPublicAddress } from "#ground/public-address.ts";
import { describeDrive } from "#integrations/remote-stores/drive/open-drive.ts";
import { authorityOfServer } from "#integrations/remote-stores/sftp/sftp-errors.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";
import { openPostizOf } from "../open-connection.ts";
import { dropboxOperations } from "./dropbox.ts";
import type { KindOperations } from "./kind-operations.ts";
import { requireAllowedEndpoint } from "./require-allowed-endpoint.ts";
import { s3Operations } from "./s3.ts";

const sftpOperations: KindOperations<"sftp"> = {
  requireAllowed({ hosts }, { host, port }) {
    const authority = authorityOfServer({ name: "", host, port });
    if (isIP(host) === 0 || isPublicAddress(host) || hosts.privateSources.includes(authority)) return;
    throw new ClipmillError(
      "invalid",
      `The host is on a private network. To allow it, add ${authority} to ALLOW_PRIVATE_SOURCES on the server.`,
    );
  },
  async test({ hosts }, connection, signal) {
    // Loaded on demand, because few installations use it.
    const { openSftp } = await import("#integrations/remote-stores/sftp/open-sftp.ts");
    try {
      const store = await openSftp(connection, { signal, privateSources: hosts.privateSources });
      try {
        for await (const _ of store.list("")) break;
      } finally {
        await store.close();
      }
      return { message: "The connection works." };
    } catch (error) {
      const fingerprint = error instanceof ClipmillError ? error.facts["fingerprint"] : undefined;
      if (!(error instanceof ClipmillError) || typeof fingerprint !== "string") throw error;
      return { isValid: false, message: error.message, found: { host_key_fingerprint: fingerprint } };
    }
  },
};

const postizOperations: KindOperations<"postiz"> = {
  requireAllowed: (context, { endpoint }) => requireAllowedEndpoint(context, endpoint),
  async test(context, connection, signal) {
    const { length } = await openPostizOf(context, connection, signal).account.listChannels();
    return { message: `The connection works. Postiz has ${length === 1 ? "1 channel" : `${length} channels`}.` };
  },
};

const driveOperations: KindOperations<"drive"> = {
  async test({ hosts }, connection, signal) {
    const email = await describeDrive(connection, { get: createSourceGet({ signal }), baseUrls: hosts.baseUrls });
    return { message: `The connection works. Share folders with ${email}.` };
  },
};

const OPERATIONS: { readonly [Kind in ConnectionKind]: KindOperations<Kind> } = {
  s3: s3Operations,
  dropbox: dropboxOperations,
  drive: driveOperations,
  sftp: sftpOperations,
  postiz: postizOperations,
};

export function operationsOf<Kind extends ConnectionKind>(kind: Kind): KindOperations<Kind> {
  return OPERATIONS[kind];
}
