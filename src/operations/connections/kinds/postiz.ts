import { openPostizOf } from "../open-postiz.ts";
import type { KindOperations } from "./kind-operations.ts";
import { requireAllowedEndpoint } from "./require-allowed-endpoint.ts";

export const postizOperations: KindOperations<"postiz"> = {
  requireAllowed: (context, { endpoint }) => requireAllowedEndpoint(context, endpoint),
  async test(context, connection, signal) {
    const { length } = await openPostizOf(context, connection, signal).account.listChannels();
    return { message: `The connection works. Postiz has ${length === 1 ? "1 channel" : `${length} channels`}.` };
  },
};
