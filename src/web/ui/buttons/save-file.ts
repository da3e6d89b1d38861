/** Lets the browser save a text as a file, by default of JSON. */
export function saveFile(name: string, text: string, type = "application/json"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  // Browsers replace what a file name cannot have.
  link.download = name;
  link.click();
  // The browser has opened the address by then.
  setTimeout(() => URL.revokeObjectURL(address));
}
