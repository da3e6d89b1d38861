import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

export class ClipmillApi implements ICredentialType {
  name = "clipmillApi";

  displayName = "Clipmill API";

  icon: Icon = { light: "file:../icons/clipmill.svg", dark: "file:../icons/clipmill.dark.svg" };

  documentationUrl = "https://github.com/clipmill/clipmill/tree/main/clients/n8n#readme";

  properties: INodeProperties[] = [
    {
      displayName: "Server Address",
      name: "url",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://clipmill.example.com",
    },
    {
      displayName: "API Token",
      name: "apiToken",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "Create it in Clipmill: Settings → Automation → API Tokens",
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiToken}}" } },
  };

  // Any token may read this document.
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}', url: "/openapi.json" },
  };
}
