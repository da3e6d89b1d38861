import type { Encoder } from "#contract/settings/encoders.ts";

const VARIABLES = ["PATH", "LANG"];
const DRIVER_VARIABLES = [
  ...["LIBVA_DRIVER_NAME", "LIBVA_DRIVERS_PATH", "LD_LIBRARY_PATH"],
  ...["NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"],
];
const PROXY_VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"];
const DOWNLOADER_VARIABLES = [
  "HOME",
  "TMPDIR",
  ...PROXY_VARIABLES,
  ...PROXY_VARIABLES.map((name) => name.toLowerCase()),
];

/** Omits Clipmill's passwords and keys, which a compromised ffmpeg could read. */
export function mediaEnvironment(encoder: Encoder = "software"): Record<string, string> {
  return environmentOf([...VARIABLES, ...(encoder === "software" ? [] : DRIVER_VARIABLES)]);
}

export function downloaderEnvironment(): Record<string, string> {
  return environmentOf([...VARIABLES, ...DOWNLOADER_VARIABLES]);
}

function environmentOf(names: readonly string[]): Record<string, string> {
  const set = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(set);
}
