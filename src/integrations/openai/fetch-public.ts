import { Agent, fetch as fetchGuarded } from "undici";
import { connectToPublicAddresses } from "#ground/public-address.ts";

const publicOnly = new Agent({ connect: connectToPublicAddresses() });

/** Connects only to public addresses, without redirects. undici does not accept Node's FormData, so the body is encoded first. */
export const fetchPublic: typeof fetch = async (to, { body, headers: given, signal, method } = {}) => {
  const encoded = body ? new Response(body) : null;
  const headers = new Headers(given);
  const type = encoded?.headers.get("content-type");
  if (type && !headers.has("content-type")) headers.set("content-type", type);
  const response = await fetchGuarded(to instanceof Request ? to.url : to, {
    ...{ method: method ?? "GET", headers: [...headers], signal: signal ?? null, dispatcher: publicOnly },
    body: encoded ? new Uint8Array(await encoded.arrayBuffer()) : null,
    redirect: "error",
  });
  return new Response(await response.arrayBuffer(), {
    status: response.status,
    headers: [...response.headers],
  });
};
