import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from "n8n-workflow";
import type { WebhooksCreateRequest } from "../../../typescript/clipmill.ts";
import { connect, toNodeError } from "../Clipmill/connect.ts";
import { isFromClipmill } from "./verify-event.ts";

type Registered = { webhookId?: string; secret?: string };

export class ClipmillTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Clipmill Trigger",
    name: "clipmillTrigger",
    icon: { light: "file:../../icons/clipmill.svg", dark: "file:../../icons/clipmill.dark.svg" },
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: "Starts the workflow when something happens in Clipmill",
    defaults: { name: "Clipmill Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "clipmillApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        options: [
          { name: "File Finished", value: "output.completed" },
          { name: "Job Canceled", value: "job.cancelled" },
          { name: "Job Completed", value: "job.completed" },
          { name: "Job Failed", value: "job.failed" },
          { name: "Job Started", value: "job.started" },
          { name: "Routes Published", value: "published" },
          { name: "Samples Ready for Approval", value: "job.proof_ready" },
        ],
        default: ["job.completed"],
        required: true,
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        try {
          const { webhookId, secret } = this.getWorkflowStaticData("node") as Registered;
          if (webhookId === undefined || secret === undefined) return false;
          const { data: webhooks } = await (await connect(this)).webhooks.list();
          const webhook = webhooks.find(({ id }) => id === webhookId);
          const events = this.getNodeParameter("events") as string[];
          return (
            webhook?.enabled === true &&
            webhook.url === this.getNodeWebhookUrl("default") &&
            webhook.events.toSorted().join() === events.toSorted().join()
          );
        } catch (error) {
          throw toNodeError(this, error);
        }
      },

      async create(this: IHookFunctions): Promise<boolean> {
        try {
          const clipmill = await connect(this);
          const registered = this.getWorkflowStaticData("node") as Registered;
          // Left behind by an activation with a different address or events.
          if (registered.webhookId !== undefined) await clipmill.webhooks.delete({ id: registered.webhookId });
          const request = { url: this.getNodeWebhookUrl("default"), events: this.getNodeParameter("events") };
          const { data, secret } = await clipmill.webhooks.create(request as WebhooksCreateRequest);
          Object.assign(registered, { webhookId: data.id, secret });
          return true;
        } catch (error) {
          throw toNodeError(this, error);
        }
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        try {
          const registered = this.getWorkflowStaticData("node") as Registered;
          if (registered.webhookId === undefined) return true;
          await (await connect(this)).webhooks.delete({ id: registered.webhookId });
          delete registered.webhookId;
          delete registered.secret;
          return true;
        } catch (error) {
          throw toNodeError(this, error);
        }
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret } = this.getWorkflowStaticData("node") as Registered;
    const headers = this.getHeaderData();
    const { rawBody } = this.getRequestObject();
    if (secret === undefined || !isFromClipmill(secret, headers, rawBody)) {
      this.getResponseObject().status(401).json({ message: "The signature is not valid, or is too old." });
      return { noWebhookResponse: true };
    }
    const event: IDataObject = { ...this.getBodyData(), webhook_id: headers["webhook-id"] };
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}
