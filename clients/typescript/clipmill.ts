/** A typed client of Clipmill's API, without dependencies. Copy it together with api.ts. */
import {
  CALLS,
  type CallOptions,
  type Functions,
  type Job,
  type Problem,
  type RepeatableOptions,
  type Tables,
  type UploadResponse,
} from "./api.ts";

export type * from "./api.ts";

export type ClipmillOptions = {
  /** The address of the installation. */
  url: string;
  /** An API token (`clm_…`), or the access token of a session. */
  token: string;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

/** An error response. */
export class ClipmillProblem extends Error {
  readonly status: number;
  /** Stable; decide by it. */
  readonly code: string;
  /** What to do, or null. */
  readonly remedy: string | null;

  constructor(status: number, body: Partial<Problem> & { message?: string }) {
    super(body.error ?? body.message ?? `The server responded with status ${status}.`);
    this.name = "ClipmillProblem";
    this.status = status;
    this.code = body.code ?? "unknown";
    this.remedy = body.remedy ?? null;
  }
}

type Filters = Record<string, string | number>;

export type Clipmill = Functions & {
  /** Reads rows, with `select`, `order`, `limit` and filters such as `{id: "eq.…"}`. */
  select<Name extends keyof Tables>(table: Name, query?: Filters, options?: CallOptions): Promise<Tables[Name][]>;
  /** Adds a file to the library. */
  upload(
    file: Blob,
    request: { name: string; use: "video" | "music" | "image" | "subtitles" },
    options?: RepeatableOptions,
  ): Promise<UploadResponse>;
  /** Opens a signed link of a row, such as `download_url`. */
  download(link: string, options?: CallOptions): Promise<Response>;
  /** Resolves once a job has ended or awaits approval. */
  waitForJob(jobId: string, options?: CallOptions & { intervalMs?: number }): Promise<Job>;
};

const MAX_TRIES = 5;
/** Statuses of requests that were not carried out. */
const BUSY = new Set([429, 503]);

/** Creates a client. Its methods throw ClipmillProblem for error responses. */
export function createClipmill({ url, token, fetch: transport = fetch }: ClipmillOptions): Clipmill {
  const base = url.replace(/\/+$/, "");

  async function send(path: string, init: RequestInit, options: RepeatableOptions): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${token}`);
    if (options.idempotencyKey !== undefined) headers.set("idempotency-key", options.idempotencyKey);
    const signal = options.signal ?? null;
    for (let tries = 1; ; tries += 1) {
      const response = await transport(base + path, { ...init, headers, signal });
      if (response.ok) return response;
      const body = (await response.json().catch(() => ({}))) as Partial<Problem>;
      const isBusy = BUSY.has(response.status) || body.code === "in_progress";
      if (!isBusy || tries === MAX_TRIES) throw new ClipmillProblem(response.status, body);
      await pause(Number(response.headers.get("retry-after") ?? tries) * 1_000, options.signal);
    }
  }

  async function select<Name extends keyof Tables>(table: Name, query: Filters = {}, options: CallOptions = {}) {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const response = await send(`/rest/v1/${table}?${search}`, {}, options);
    return (await response.json()) as Tables[Name][];
  }

  const functions: Record<string, Record<string, unknown>> = {};
  for (const { group, name, method, path, selects } of CALLS) {
    functions[group] ??= {};
    functions[group][name] = async (request: object = {}, options: RepeatableOptions = {}) => {
      const body = { ...request, ...selects };
      const isGet = method === "GET";
      const query = isGet ? `?${new URLSearchParams(body)}` : "";
      const headers = { "content-type": "application/json" };
      const init = isGet ? {} : { method, headers, body: JSON.stringify(body) };
      return (await send(path + query, init, options)).json();
    };
  }

  return {
    ...(functions as Functions),
    select,
    async upload(file, { name, use }, options = {}) {
      const query = new URLSearchParams({ name, use });
      const response = await send(`/uploads?${query}`, { method: "POST", body: file }, options);
      return (await response.json()) as UploadResponse;
    },
    async download(link, { signal } = {}) {
      const response = await transport(new URL(link, `${base}/`), { signal: signal ?? null });
      if (!response.ok) throw new ClipmillProblem(response.status, (await response.json()) as Partial<Problem>);
      return response;
    },
    async waitForJob(jobId, { signal, intervalMs = 2_000 } = {}) {
      for (;;) {
        const query = {
          id: `eq.${jobId}`,
          select: "id,job_name,status,progress,error_message,download_url,manifest_url,awaiting_approval",
        };
        const [job] = await select("jobs", query, signal ? { signal } : {});
        if (!job) throw new ClipmillProblem(404, { error: "The job does not exist.", code: "not_found" });
        if (job.awaiting_approval || ["Completed", "Failed", "Cancelled"].includes(job.status)) return job;
        await pause(intervalMs, signal);
      }
    },
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });
}
