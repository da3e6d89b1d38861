/** Returns `host:port`, with the scheme's default port. */
export function authorityOf(address: string | URL): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
