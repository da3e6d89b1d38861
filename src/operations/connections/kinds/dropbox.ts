import { createSourceGet } from "#integrations/sources/source-http.ts";
import { describeDropbox } from "#integrations/remote-stores/dropbox/open-dropbox.ts";
import type { KindOperations } from "./kind-operations.ts";

export const dropboxOperations: KindOperations<"dropbox"> = {
  async test({ hosts }, connection, signal) {
    const email = await describeDropbox(connection, { get: createSourceGet({ signal }), baseUrls: hosts.baseUrls });
    return { message: `The connection works for the account ${email}.` };
  },
};
