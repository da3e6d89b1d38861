/** Sends what a worker without the database sends, and what it never would. */
import { expect } from "vitest";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { REJECTED_HEADER, SHA256_HEADER, VERSION_HEADER, WORKER_PATH } from "#contract/workers/worker-protocol.ts";
import { sha256Of } from "#ground/checksum.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import type { TestServer } from "../server.ts";

type Answer = { status: number; isRejected: boolean; answer: unknown; code: string | null; error: string | null };
type Sent = { method: string; body?: string; headers: Record<string, string>; signal?: AbortSignal };
type Settings = Parameters<TestServer["create"]>[0];

type Claim = { path: string; videoId: string; job: WholeJob; outputs: { id: string; name: string }[] };

/** `readOwn` returns the server, and the token of requests without another one. */
export function createTokenRequests(readOwn: () => { server: TestServer; token: string }) {
  const send = async (path: string, init: Sent, token = readOwn().token, version = VERSION): Promise<Answer> => {
    const headers = { authorization: `Bearer ${token}`, [VERSION_HEADER]: version, ...init.headers };
    const response = await fetch(`${readOwn().server.url}${WORKER_PATH}${path}`, { ...init, headers });
    const { answer = null, code = null, error = null } = (await response.json()) as Partial<Answer>;
    return { status: response.status, isRejected: response.headers.has(REJECTED_HEADER), answer, code, error };
  };
  const ask = (
    path: string,
    body: object,
    token?: string,
    { version, signal }: { version?: string; signal?: AbortSignal } = {},
  ): Promise<Answer> => {
    const headers = { "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(body), ...(signal && { signal }) };
    return send(path, sent, token, version);
  };

  return {
    ask,
    /** A GET request. */
    read: (path: string): Promise<Answer> => send(path, { method: "GET", headers: {} }),
    /** Claims the video of a new job with two outputs, and plans them. */
    claim: async (token?: string, settings: Settings = {}): Promise<Claim> => {
      const job = await readOwn().server.create({ worker_labels: "far", variants_per_video: 2, ...settings });
      const { answer } = await ask("/claim", { links: [] }, token);
      const { id, retryCount } = answer as { id: string; retryCount: number };
      const path = `/claims/${id}/${retryCount}`;
      expect((await ask(`${path}/claim`, {}, token)).status).toBe(200);
      const planned = [0, 1].map((variant) => {
        return { variant, segment: 0, name: `${id}-${variant}.mp4`, caption: null, track: null, trackLink: null };
      });
      const facts = { name: "clip.mp4", durationSeconds: 1, pass: null };
      const plan = await ask(`${path}/plan`, { facts, outputs: planned, costMinutes: 1 }, token);
      return { path, videoId: id, job, outputs: plan.answer as Claim["outputs"] };
    },
    put: (path: string, key: string, content: string, token?: string, sha256 = sha256Of(content)): Promise<Answer> => {
      const query = new URLSearchParams({ key });
      const headers = { [SHA256_HEADER]: sha256 };
      return send(`${path}/files?${query}`, { method: "PUT", body: content, headers }, token);
    },
    keyOf: ({ job }: Pick<Claim, "job">, name: string) => `outputs/${job.id}/${name}`,
    /** The request `complete` for the first output, with a file that contains "video". */
    file: ({ job, outputs }: Pick<Claim, "job" | "outputs">, more: object = {}) => {
      const [first] = outputs;
      return {
        id: first!.id,
        warnings: [],
        contentKey: "a-content",
        storageKey: `outputs/${job.id}/${first!.name}`,
        thumbnailKey: `thumbnails/${job.id}/abc.jpg`,
        cover: null,
        durationSeconds: 1,
        width: 2,
        height: 2,
        sizeBytes: 5,
        crc32: 1,
        sha256: sha256Of("video"),
        conformance: null,
        ...more,
      };
    },
  };
}
