import { isIP } from "node:net";
import { ClipmillError } from "#contract/errors.ts";
import { isPublicAddress } from "#ground/public-address.ts";
import { authorityOfServer } from "#integrations/remote-stores/sftp/sftp-refusals.ts";
import type { KindOperations } from "./kind-operations.ts";

export const sftpOperations: KindOperations<"sftp"> = {
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
