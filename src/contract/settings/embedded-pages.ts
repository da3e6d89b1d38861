/** No zod. */

/** Keyed by setting. An environment variable with the name in capitals takes precedence. */
export const PAGE_SETTINGS = { batch_scheduler_url: "batchScheduler", warmup_robot_url: "warmupRobot" } as const;
export type PageSetting = keyof typeof PAGE_SETTINGS;

export const MAX_ADDRESS_CHARACTERS = 2_000;

export function variableOf(setting: PageSetting): string {
  return setting.toUpperCase();
}

/** URL parsers accept `;`, `,` and `*` in a host; a Content-Security-Policy gives them a meaning. */
const PLAIN_HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;

/**
 * Returns why an address cannot be embedded, to follow the setting's name, or null. A page on Clipmill's own origin
 * could escape its sandbox.
 */
export function problemOfPage(address: string, isOwnOrigin: (origin: string) => boolean): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return "must be a valid URL that starts with http:// or https://";
  if (!PLAIN_HOST.test(url.hostname)) return "must have a host name of letters, digits, dots and hyphens";
  if (isOwnOrigin(url.origin)) return "must not point to Clipmill itself";
  return url.username || url.password ? "must not contain a username or password" : null;
}
