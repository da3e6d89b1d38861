import { RestError } from "./rest-error.ts";

const SINGLE = "application/vnd.pgrst.object+json";
const LIST = /(?:^|[,\s])(?:application\/json|application\/\*|\*\/\*)/;

export type RestHeaders = {
  /** One object; an error unless exactly one row matches. */
  isSingle: boolean;
  returnsRows: boolean;
  isCounted: boolean;
  /** Missing fields of inserted rows get defaults, not null. */
  fillsDefaults: boolean;
};

/** PROTOCOL 2. Throws RestError for another schema or media type, or an upsert. */
export function parseHeaders(method: string, headers: Headers): RestHeaders {
  const profile = headers.get(method === "GET" || method === "HEAD" ? "accept-profile" : "content-profile");
  if (profile && profile !== "public") {
    const details = "Only the following schemas are exposed: public";
    throw new RestError(406, "PGRST106", `Invalid schema: ${profile}`, details);
  }
  const accept = headers.get("accept") ?? "*/*";
  const isSingle = accept.includes(SINGLE);
  if (!isSingle && !LIST.test(accept)) {
    throw new RestError(406, "PGRST107", `None of these media types are available: ${accept}`);
  }
  const preferences = new Set((headers.get("prefer") ?? "").split(",").map((preference) => preference.trim()));
  if ([...preferences].some((preference) => preference.startsWith("resolution="))) {
    throw new RestError(
      400,
      "PGRST100",
      "This query is not supported.",
      "upserts are not supported; insert or update instead",
    );
  }
  return {
    isSingle,
    returnsRows: preferences.has("return=representation"),
    isCounted: ["count=exact", "count=planned", "count=estimated"].some((preference) => preferences.has(preference)),
    fillsDefaults: preferences.has("missing=default"),
  };
}
