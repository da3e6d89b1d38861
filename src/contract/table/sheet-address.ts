/**
 * Turns any browser address of a Google Sheets spreadsheet into its CSV address; others are unchanged. Sheets shared by
 * link export at `/export?format=csv`, published ones at `/pub?output=csv`; `gid` selects a sheet (snapsheets 1.x, "URL
 * format", and Google Docs Editors Help, "Publish to the web", both read 2026-11-22).
 */
export function sheetAddress(address: URL): URL {
  const path = /^\/spreadsheets\/(?:u\/\d+\/)?d\/(e\/)?([\w-]+)/.exec(address.pathname);
  if (!isGoogleSheet(address) || !path) return address;
  const [, published, id] = path;
  const csv = new URL(`https://docs.google.com/spreadsheets/d/${published ?? ""}${id}/`);
  csv.pathname += published ? "pub" : "export";
  csv.searchParams.set(published ? "output" : "format", "csv");
  const sheet = address.searchParams.get("gid") ?? /(?:^#|&)gid=(\d+)/.exec(address.hash)?.[1];
  if (sheet && /^\d+$/.test(sheet)) csv.searchParams.set("gid", sheet);
  if (published) csv.searchParams.set("single", "true");
  return csv;
}

export function isGoogleSheet({ protocol, hostname }: URL): boolean {
  return protocol === "https:" && hostname === "docs.google.com";
}
