import { createHash } from "node:crypto";
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from "n8n-workflow";
import { NodeOperationError } from "n8n-workflow";
import type { Clipmill, JobsCreateRequest } from "../../../typescript/clipmill.ts";
import { connect, readServerUrl } from "./connect.ts";
import { toCsv } from "./to-csv.ts";

type Operation = (node: IExecuteFunctions, itemIndex: number) => Promise<INodeExecutionData[]>;

/** Handlers by resource and operation. */
export const OPERATIONS: Record<string, Operation> = {
  "job:create": async (node, i) => {
    const clipmill = await connect(node);
    const input_videos = readLinks(node.getNodeParameter("links", i));
    const request = { ...(await readSettings(node, clipmill, i)), input_videos } as unknown as JobsCreateRequest;
    return [ofJob(await clipmill.jobs.create(request, { idempotencyKey: keyOf(node, i) }), { item: i })];
  },

  "job:createFromTable": async (node, i) => {
    const clipmill = await connect(node);
    const settings = await readSettings(node, clipmill, i);
    const response = await clipmill.jobTable.create({
      ...readTable(node, i),
      settings,
      idempotency_key: keyOf(node, i),
    });
    return [ofJob(response, isOneForAll(node) ? node.getInputData().map((_, item) => ({ item })) : { item: i })];
  },

  "job:wait": async (node, i) => {
    const minutes = node.getNodeParameter("timeoutMinutes", i) as number;
    const timeout = AbortSignal.timeout(minutes * 60_000);
    const canceled = node.getExecutionCancelSignal();
    const signal = canceled ? AbortSignal.any([timeout, canceled]) : timeout;
    const waiting = (await connect(node)).waitForJob(node.getNodeParameter("jobId", i) as string, { signal });
    const job = await waiting.catch((error: unknown) => {
      if (!timeout.aborted) throw error as Error;
      const message = `The job has not ended within ${minutes} minutes`;
      throw new NodeOperationError(node.getNode(), message, {
        itemIndex: i,
        description: "The job continues. Increase the timeout, or use the Clipmill Trigger.",
      });
    });
    if (["Failed", "Cancelled"].includes(job.status) && node.getNodeParameter("failsWithoutFiles", i)) {
      const message = job.status === "Failed" ? "The job failed" : "The job was canceled";
      throw new NodeOperationError(node.getNode(), message, {
        itemIndex: i,
        description: job.error_message ?? undefined,
      });
    }
    return [ofJob({ data: job }, { item: i })];
  },

  "job:approve": async (node, i) => {
    const jobId = node.getNodeParameter("jobId", i) as string;
    return [
      ofJob(await (await connect(node)).jobs.approve({ jobId }, { idempotencyKey: keyOf(node, i) }), { item: i }),
    ];
  },

  "file:getAll": async (node, i) => {
    const { data } = await (await connect(node)).jobs.outputs({ jobId: node.getNodeParameter("jobId", i) as string });
    const finished = data.filter(({ media_url }) => media_url !== null);
    const most = node.getNodeParameter("returnAll", i)
      ? finished.length
      : (node.getNodeParameter("limit", i) as number);
    return finished
      .slice(0, most)
      .map((output) => ({ json: output as unknown as IDataObject, pairedItem: { item: i } }));
  },

  "file:download": async (node, i) => {
    const link = new URL(node.getNodeParameter("link", i) as string, `${await readServerUrl(node)}/`);
    const fileName = node.getNodeParameter("fileName", i) as string;
    const binaryPropertyName = node.getNodeParameter("binaryPropertyName", i) as string;
    const file = await download(node, String(link), fileName);
    return [{ json: node.getInputData()[i]!.json, binary: { [binaryPropertyName]: file }, pairedItem: { item: i } }];
  },
};

/** Whether one run of the operation handles all input items. */
export function isOneForAll(node: IExecuteFunctions): boolean {
  const isTable = node.getNodeParameter("operation", 0) === "createFromTable";
  return isTable && node.getNodeParameter("tableFrom", 0) === "items";
}

/** Signed links need no token. The file is streamed, and n8n stores it. */
async function download(node: IExecuteFunctions, url: string, fileName: string) {
  const body = (await node.helpers.httpRequest({ url, encoding: "stream" })) as Parameters<
    typeof node.helpers.prepareBinaryData
  >[0];
  return await node.helpers.prepareBinaryData(body, fileName);
}

async function readSettings(node: IExecuteFunctions, clipmill: Clipmill, i: number): Promise<Record<string, unknown>> {
  const job_name = node.getNodeParameter("jobName", i) as string;
  const presetId = node.getNodeParameter("presetId", i) as string;
  const given = node.getNodeParameter("settings", i);
  const settings = (typeof given === "string" ? JSON.parse(given || "{}") : given) as Record<string, unknown>;
  if (presetId === "") return { ...settings, job_name };
  const [preset] = await clipmill.select("presets", { id: `eq.${presetId}` });
  if (!preset) throw new NodeOperationError(node.getNode(), "The preset no longer exists", { itemIndex: i });
  return { ...preset.settings, ...settings, job_name };
}

function readTable(node: IExecuteFunctions, i: number): { csv: string } | { url: string } {
  const from = node.getNodeParameter("tableFrom", i);
  if (from === "url") return { url: node.getNodeParameter("sheetUrl", i) as string };
  if (from === "csv") return { csv: node.getNodeParameter("csv", i) as string };
  return { csv: toCsv(node.getInputData().map(({ json }) => json)) };
}

function readLinks(given: unknown): string[] {
  const links = Array.isArray(given) ? (given as string[]) : String(given).split("\n");
  return links.map((link) => link.trim()).filter((link) => link !== "");
}

/** The same for every try of one run of the node (Retry On Fail), so that a retry creates no second job. */
function keyOf(node: IExecuteFunctions, i: number): string {
  const run = node.evaluateExpression("{{ $runIndex }}", i);
  const place = [node.getInstanceId(), node.getExecutionId(), node.getNode().id, run, i];
  return `n8n-${createHash("sha256").update(JSON.stringify(place)).digest("hex")}`;
}

type JobFields = { id: string; job_name: string; status: string; awaiting_approval: boolean } & {
  [Name in "progress" | "error_message" | "download_url" | "manifest_url"]?: unknown;
};

/** Without the lists of a whole job, which can have 10,000 videos. */
function ofJob(
  { data: job, warnings }: { data: JobFields; warnings?: unknown[] },
  pairedItem: INodeExecutionData["pairedItem"],
): INodeExecutionData {
  const { id, job_name, status, awaiting_approval, progress, error_message, download_url, manifest_url } = job;
  const fields = { id, job_name, status, awaiting_approval, progress, error_message, download_url, manifest_url };
  return { json: { ...fields, ...(warnings && { warnings }) } as IDataObject, pairedItem };
}
