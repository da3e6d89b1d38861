/**
 * Inserts the visitor's query before the fragment. The target's own parameters win, so visitors cannot change them; the
 * others keep their spelling and order.
 */
export function withQuery(target: string, query: string): string {
  const hash = target.indexOf("#");
  const base = hash === -1 ? target : target.slice(0, hash);
  const fragment = hash === -1 ? "" : target.slice(hash);
  const mark = base.indexOf("?");
  // Browsers never send a hash sign; unencoded, it would start a fragment.
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
