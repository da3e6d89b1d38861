import { createSourceGet } from "#integrations/sources/source-http.ts";
import { describeDrive } from "#integrations/remote-stores/drive/open-drive.ts";
import type { KindOperations } from "./kind-operations.ts";

export const driveOperations: KindOperations<"drive"> = {
  async test({ hosts }, connection, signal) {
    const email = await describeDrive(connection, { get: createSourceGet({ signal }), baseUrls: hosts.baseUrls });
    return { message: `The connection works. Share folders with ${email}.` };
  },
};
