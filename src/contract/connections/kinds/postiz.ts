import { CONNECTION_LIMITS } from "../connections.ts";
import { type KindRules, textOf, faultOfVisibleText } from "./connection-kind.ts";
import { faultOfEndpoint } from "./s3-fields.ts";

/** The lowest documented limit (postiz-service.ts). */
const DEFAULT_POSTS_PER_HOUR = 30;
const MOST_POSTS_PER_HOUR = 10_000;

/** Postiz Cloud or self-hosted (docs.postiz.com/public-api, read 2026-11-23). */
export const postizKind: KindRules<"postiz"> = {
  kind: "postiz",
  label: "Postiz",
  text: "Postiz, which schedules posts to social networks",
  fields: [
    {
      name: "endpoint",
      label: "API address",
      type: "text",
      placeholder: "https://postiz.example.com/api",
      hint: "Leave empty for Postiz Cloud. A self-hosted API is usually at /api.",
      maxCharacters: CONNECTION_LIMITS.endpointCharacters,
      faultOf: faultOfEndpoint,
    },
    {
      name: "api_key",
      label: "API key",
      type: "secret",
      hint: "From Postiz: Settings → Developers → Public API.",
      faultOf: (key) => faultOfVisibleText(key, "API key"),
    },
    {
      name: "posts_per_hour",
      label: "Posts per hour",
      type: "text",
      isNumber: true,
      placeholder: String(DEFAULT_POSTS_PER_HOUR),
      hint: "Files beyond this limit wait. Postiz allows 30 to 100, depending on its version. If you host it, API_LIMIT sets this.",
      faultOf: (number) =>
        number === "" || (/^\d{1,5}$/.test(number) && Number(number) > 0 && Number(number) <= MOST_POSTS_PER_HOUR)
          ? null
          : "Posts per hour must be a number from 1 to 10,000.",
    },
  ],
  toSettings: (fields) => ({
    endpoint:
      textOf(fields, "endpoint")
        .replace(/\/+$/, "")
        .replace(/\/public\/v1$/, "") || null,
    posts_per_hour: Number(textOf(fields, "posts_per_hour") || DEFAULT_POSTS_PER_HOUR),
  }),
  faultOfSecret: ({ api_key: key }) => (key ? null : "Enter the API key."),
  placeOf: ({ endpoint }) => endpoint ?? "",
  endingOf: "api_key",
};
