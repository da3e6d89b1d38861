import {
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from "n8n-workflow";
import { connect, toNodeError } from "./connect.ts";
import { isOneForAll, OPERATIONS } from "./operations.ts";
import { PROPERTIES } from "./properties.ts";

export class Clipmill implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Clipmill",
    name: "clipmill",
    icon: { light: "file:../../icons/clipmill.svg", dark: "file:../../icons/clipmill.dark.svg" },
    group: ["transform"],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: "Create video jobs, wait for them and download their files",
    defaults: { name: "Clipmill" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "clipmillApi", required: true }],
    properties: PROPERTIES,
  };

  methods = {
    loadOptions: {
      async getPresets(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        try {
          const presets = await (await connect(this)).select("presets", { select: "id,name", order: "name" });
          return [{ name: "None", value: "" }, ...presets.map(({ id, name }) => ({ name, value: id }))];
        } catch (error) {
          throw toNodeError(this, error);
        }
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    const runs = isOneForAll(this) ? 1 : this.getInputData().length;
    for (let i = 0; i < runs; i += 1) {
      const name = `${this.getNodeParameter("resource", i)}:${this.getNodeParameter("operation", i)}`;
      try {
        results.push(...(await OPERATIONS[name]!(this, i)));
      } catch (error) {
        const problem = toNodeError(this, error, i);
        if (!this.continueOnFail()) throw problem;
        results.push({ json: { error: problem.message }, error: problem, pairedItem: { item: i } });
      }
    }
    return [results];
  }
}
