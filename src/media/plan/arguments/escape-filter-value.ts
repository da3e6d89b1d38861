/** Once for the option, once for the graph. */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(/[\\':]/g, "\\$&").replaceAll(/[\\'[\],;]/g, "\\$&");
}
