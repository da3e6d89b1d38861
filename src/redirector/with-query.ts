/**
 * A target with the visitor's query string: added to the target's own, before its fragment. A parameter that the target
 * has itself stays the target's, so that no visitor can change it; the others travel as they came, in their order.
 */
export function withQuery(target: string, query: string): string {
  const hash = target.indexOf("#");
  const base = hash === -1 ? target : target.slice(0, hash);
  const fragment = hash === -1 ? "" : target.slice(hash);
  const mark = base.indexOf("?");
  // No browser sends a hash sign; where one came all the same, it would make a fragment of what follows.
  const safe = query.includes("#") ? query.replaceAll("#", "%23") : query;
  const passed = mark === -1 ? safe : withoutNames(safe, base.slice(mark + 1));
  if (passed === "") return target;
  const join = mark === -1 ? "?" : mark === base.length - 1 ? "" : "&";
  return `${base}${join}${passed}${fragment}`;
}

function withoutNames(query: string, own: string): string {
  const names = new URLSearchParams(own);
  return query
    .split("&")
    .filter((part) => !names.has(new URLSearchParams(part).keys().next().value ?? ""))
    .join("&");
}
