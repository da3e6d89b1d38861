import { type KindRules, textOf, faultOfVisibleText } from "./connection-kind.ts";

/**
 * The operator's own app, with a refresh token for one account (developers.dropbox.com/oauth-guide, read 2026-11-23).
 */
export const dropboxKind: KindRules<"dropbox"> = {
  kind: "dropbox",
  label: "Dropbox",
  text: "A Dropbox account, through your own app",
  fields: [
    {
      name: "app_key",
      label: "App key",
      type: "text",
      hint: "From your app at dropbox.com/developers/apps.",
      faultOf: (key) => faultOfVisibleText(key, "app key") ?? (key === "" ? "Enter the app key." : null),
    },
    {
      name: "app_secret",
      label: "App secret",
      type: "secret",
      faultOf: (secret) => faultOfVisibleText(secret, "app secret"),
    },
    {
      name: "refresh_token",
      label: "Refresh token",
      type: "secret",
      hint: "From an authorization with token_access_type=offline.",
      faultOf: (token) => faultOfVisibleText(token, "refresh token"),
    },
  ],
  toSettings: (fields) => ({ app_key: textOf(fields, "app_key") }),
  faultOfSecret({ app_secret: secret, refresh_token: token }) {
    if (!secret) return "Enter the app secret.";
    return token ? null : "Enter the refresh token.";
  },
  endingOf: "refresh_token",
};
