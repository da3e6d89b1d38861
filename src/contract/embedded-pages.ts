/** The two screens that show pages of other sites: where their addresses are set, and which addresses may be. Free of zod. */

/** By the names of the settings. The variable of the same name in capitals, in the server's environment, wins. */
export const PAGE_SETTINGS = { batch_scheduler_url: "batchScheduler", warmup_robot_url: "warmupRobot" } as const;
export type PageSetting = keyof typeof PAGE_SETTINGS;

export const MOST_ADDRESS_CHARACTERS = 2_000;

/** The variable that sets the same address. */
export function variableOf(setting: PageSetting): string {
  return setting.toUpperCase();
}

/**
 * Why an address may not be shown in a frame, as the end of a sentence that begins with its name; null when it may. A page of
 * our own origin could step out of its sandbox and act as the operator.
 */
export function faultOfPage(address: string, isOwnOrigin: (origin: string) => boolean): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return "must start with http:// or https://";
  if (isOwnOrigin(url.origin)) return "must not be an address of Clipmill itself";
  return url.username || url.password ? "must not contain a username or password" : null;
}
