export type TwinResponse = { status: number; headers?: Record<string, string>; contentType: string; body: string };

const HTML = "text/html; charset=utf-8";

/** Returns an error of the API v3: `errors[].reason`, and the newer `details[].reason` where Google sends it. */
function apiError(code: number, domain: string, reason: string, message: string, detail?: string): TwinResponse {
  const details =
    detail === undefined ? {} : { details: [{ "@type": ERROR_INFO, reason: detail, domain: "googleapis.com" }] };
  const error = { code, message, errors: [{ message, domain, reason }], ...details };
  return { status: code, contentType: "application/json; charset=UTF-8", body: JSON.stringify({ error }) };
}

const ERROR_INFO = "type.googleapis.com/google.rpc.ErrorInfo";

export const apiResponses = {
  // With only an API key, an unshared file looks like a missing one.
  notFound: (id: string) => apiError(404, "global", "notFound", `File not found: ${id}.`),
  quotaExceeded: () =>
    apiError(403, "usageLimits", "downloadQuotaExceeded", "The download quota for this file has been exceeded."),
  cannotDownload: () => apiError(403, "global", "cannotDownloadFile", "This file cannot be downloaded by the user."),
  notDownloadable: () =>
    apiError(403, "global", "fileNotDownloadable", "Only files with binary content can be downloaded."),
  rateLimited: () => apiError(429, "usageLimits", "rateLimitExceeded", "Rate Limit Exceeded"),
  badKey: () =>
    apiError(400, "global", "badRequest", "API key not valid. Please pass a valid API key.", "API_KEY_INVALID"),
  noKey: () => apiError(403, "global", "forbidden", "Method doesn't allow unregistered callers."),
  backendError: () => apiError(503, "global", "backendError", "Backend Error"),
};

export const publicResponses = {
  notFound: (): TwinResponse =>
    page(404, "Error 404 (Not Found)!!1", "<p>The requested URL was not found on this server."),
  signIn: (id: string): TwinResponse => ({
    status: 302,
    contentType: HTML,
    headers: {
      location: `https://accounts.google.com/ServiceLogin?service=wise&continue=${encodeURIComponent(`https://drive.google.com/uc?id=${id}`)}`,
    },
    body: "",
  }),
  needAccess: (): TwinResponse => page(200, "Google Drive: Sign-in", '<p id="request-access">You need access</p>'),
  quotaExceeded: (): TwinResponse =>
    page(
      200,
      "Google Drive - Quota exceeded",
      '<p class="uc-error-caption">Sorry, you can&#39;t view or download this file at this time.</p>' +
        '<p class="uc-error-subcaption">Too many users have viewed or downloaded this file recently.</p>',
    ),
  virusScan: (form: { action: string; id: string; name: string; uuid: string }): TwinResponse =>
    page(
      200,
      "Google Drive - Virus scan warning",
      `<p class="uc-warning-caption">Google Drive can't scan this file for viruses.</p>
       <span class="uc-name-size"><a href="/open?id=${form.id}">${form.name}</a> (120M)</span>
       <form id="download-form" action="${form.action}" method="get">
       <input type="submit" id="uc-download-link" value="Download anyway"/>
       <input type="hidden" name="id" value="${form.id}"><input type="hidden" name="export" value="download">
       <input type="hidden" name="confirm" value="t"><input type="hidden" name="uuid" value="${form.uuid}"></form>`,
    ),
  rateLimited: (): TwinResponse => page(429, "Sorry...", "<h1>We're sorry...</h1><p>automated queries</p>"),
  backendError: (): TwinResponse => page(503, "Error 503", "<p>The service is unavailable."),
};

function page(status: number, title: string, body: string): TwinResponse {
  return {
    status,
    contentType: HTML,
    body: `<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`,
  };
}
