export function saveFile(name: string, text: string, type = "application/json"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  // Browsers replace characters that a file name cannot contain.
  link.download = name;
  link.click();
  // By then, the browser has opened the URL.
  setTimeout(() => URL.revokeObjectURL(address));
}
