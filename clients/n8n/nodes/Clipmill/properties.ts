import type { INodeProperties } from "n8n-workflow";

const job = (...operation: string[]) => ({ show: { resource: ["job"], operation } });
const file = (...operation: string[]) => ({ show: { resource: ["file"], operation } });

const JOB_ID: INodeProperties = {
  displayName: "Job ID",
  name: "jobId",
  type: "string",
  default: "={{ $json.id }}",
  required: true,
  description: "The ID that Create and Create From Table return, or the event's job_id",
};

const CREATE_PROPERTIES: INodeProperties[] = [
  {
    displayName: "Job Name",
    name: "jobName",
    type: "string",
    default: "",
    required: true,
    displayOptions: job("create", "createFromTable"),
  },
  {
    displayName: "Video Links",
    name: "links",
    type: "string",
    typeOptions: { rows: 4 },
    default: "",
    required: true,
    description: "One link per line, or an expression that returns a list",
    displayOptions: job("create"),
  },
  {
    displayName: "Table",
    name: "tableFrom",
    type: "options",
    options: [
      { name: "CSV Text", value: "csv" },
      { name: "Input Items", value: "items", description: "One job from all input items, with a row per item" },
      { name: "Published Sheet", value: "url" },
    ],
    default: "items",
    description: "Columns are link, name, any job setting, or values to pass on",
    displayOptions: job("createFromTable"),
  },
  {
    displayName: "CSV",
    name: "csv",
    type: "string",
    typeOptions: { rows: 6 },
    default: "",
    required: true,
    placeholder: "link,custom_captions",
    description: "The first line contains the column names",
    displayOptions: { show: { ...job("createFromTable").show, tableFrom: ["csv"] } },
  },
  {
    displayName: "Sheet Address",
    name: "sheetUrl",
    type: "string",
    default: "",
    required: true,
    placeholder: "https://docs.google.com/spreadsheets/d/…",
    displayOptions: { show: { ...job("createFromTable").show, tableFrom: ["url"] } },
  },
  {
    displayName: "Preset Name or ID",
    name: "presetId",
    type: "options",
    typeOptions: { loadOptionsMethod: "getPresets" },
    default: "",
    description:
      'The preset whose settings the job starts from. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
    displayOptions: job("create", "createFromTable"),
  },
  {
    displayName: "Settings",
    name: "settings",
    type: "json",
    default: "{}",
    description: "Job settings, as in Clipmill's API. They override those of the preset.",
    displayOptions: job("create", "createFromTable"),
  },
];

const WAIT_PROPERTIES: INodeProperties[] = [
  { ...JOB_ID, displayOptions: job("wait", "approve") },
  {
    displayName: "Timeout (Minutes)",
    name: "timeoutMinutes",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 60,
    displayOptions: job("wait"),
  },
  {
    displayName: "Fail Without Files",
    name: "failsWithoutFiles",
    type: "boolean",
    default: true,
    description: "Whether the node fails if the job fails or is canceled",
    displayOptions: job("wait"),
  },
];

const FILE_PROPERTIES: INodeProperties[] = [
  { ...JOB_ID, displayOptions: file("getAll") },
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: true,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: file("getAll"),
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { ...file("getAll").show, returnAll: [false] } },
  },
  {
    displayName: "Link",
    name: "link",
    type: "string",
    default: "={{ $json.media_url }}",
    required: true,
    description: "A signed link, such as media_url of a file, or download_url of a job for its zip",
    displayOptions: file("download"),
  },
  {
    displayName: "File Name",
    name: "fileName",
    type: "string",
    default: "={{ $json.name }}",
    required: true,
    displayOptions: file("download"),
  },
  {
    displayName: "Put Output File in Field",
    name: "binaryPropertyName",
    type: "string",
    default: "data",
    required: true,
    hint: "The name of the output binary field to put the file in",
    displayOptions: file("download"),
  },
];

export const PROPERTIES: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: [
      { name: "File", value: "file" },
      { name: "Job", value: "job" },
    ],
    default: "job",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["job"] } },
    options: [
      {
        name: "Approve",
        value: "approve",
        description: "Approve the samples of a job, which starts the rest",
        action: "Approve the samples of a job",
      },
      { name: "Create", value: "create", description: "Create a job from links", action: "Create a job" },
      {
        name: "Create From Table",
        value: "createFromTable",
        description: "Create a job in which each video has its own settings",
        action: "Create a job from a table",
      },
      {
        name: "Wait",
        value: "wait",
        description: "Wait until a job has ended or its samples need approval",
        action: "Wait for a job",
      },
    ],
    default: "create",
  },
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["file"] } },
    options: [
      { name: "Download", value: "download", description: "Download a file", action: "Download a file" },
      {
        name: "Get Many",
        value: "getAll",
        description: "Get the finished files of a job",
        action: "Get the files of a job",
      },
    ],
    default: "getAll",
  },
  ...CREATE_PROPERTIES,
  ...WAIT_PROPERTIES,
  ...FILE_PROPERTIES,
];
