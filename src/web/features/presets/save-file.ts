/** Lets the browser save a text as a JSON file. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  // Browsers replace what a file name cannot have.
  link.download = name;
  link.click();
  // The browser has opened the address by then.
  setTimeout(() => URL.revokeObjectURL(address));
}
