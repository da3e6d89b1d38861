// Runs before the first paint; a separate file because inline scripts are blocked.
try {
  if (localStorage.getItem("clipmill-theme") === "light") document.documentElement.dataset.theme = "light";
} catch {
  // Storage may be blocked; dark is the default.
}
