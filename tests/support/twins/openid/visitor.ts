/** A browser without a screen: cookies by origin, and redirects one at a time. */
export type Visitor = {
  /** Sends what a browser sends for a page. Does not follow redirects. */
  open(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until the next would lead to an address that starts with `stopAt`, and returns that address. */
  follow(url: string, stopAt: string): Promise<string>;
  cookies(url: string): Map<string, string>;
  /** The Set-Cookie headers so far. */
  received: string[];
};

const MAX_REDIRECTS = 12;

export function createVisitor(): Visitor {
  const jars = new Map<string, Map<string, string>>();
  const received: string[] = [];
  const cookies = (url: string): Map<string, string> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  async function open(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = cookies(url);
    const headers = new Headers({ accept: "text/html", ...(init.headers as Record<string, string>) });
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      received.push(cookie);
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(cookie)) jar.delete(name!);
      else jar.set(name!, value!);
    }
    return response;
  }
  return {
    open,
    cookies,
    received,
    async follow(url, stopAt) {
      let current = url;
      for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
        const response = await open(current);
        const location = response.headers.get("location");
        if (location === null) throw new Error(`${response.status} at ${current}: ${await response.text()}`);
        current = new URL(location, current).href;
        if (current.startsWith(stopAt)) return current;
      }
      throw new Error("too many redirects");
    },
  };
}
