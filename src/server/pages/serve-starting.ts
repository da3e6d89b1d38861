import type { SignInOptions } from "#contract/accounts/sign-in.ts";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

const SENTENCE = "Clipmill is starting. Try again in a moment.";
const RETRY_AFTER_SECONDS = 2;

/** Protocols read different fields. */
const BODY = JSON.stringify({
  status: "starting",
  code: "starting",
  error: SENTENCE,
  message: SENTENCE,
  msg: SENTENCE,
});

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RETRY_AFTER_SECONDS}">
<title>Clipmill is starting</title>
<style>
body { font: 14px/20px system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; margin: 0 24px; }
h1 { font-size: 20px; line-height: 28px; margin: 0; }
p { margin: 4px 0 0; }
</style>
</head>
<body>
<h1>Clipmill is starting</h1>
<p>This page reloads automatically.</p>
</body>
</html>
`;

export function serveStarting(signIn: SignInOptions): RequestListener {
  return (request, response) => {
    const pathname = request.url?.split("?", 1)[0];
    if (pathname === "/health" && request.method === "GET") {
      send(response, 200, "application/json", JSON.stringify({ status: "ok", ...signIn }));
    } else if (isNavigation(request)) {
      send(response, 503, "text/html; charset=utf-8", PAGE);
    } else {
      send(response, 503, "application/json", BODY);
    }
  };
}

function isNavigation({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && (headers.accept?.includes("text/html") ?? false);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    "content-type": type,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...(status === 503 ? { "retry-after": String(RETRY_AFTER_SECONDS) } : {}),
  });
  response.end(body);
}
