// Runs before the first paint, as a file of its own because inline scripts are not allowed.
try {
  if (localStorage.getItem("clipmill-theme") === "light") document.documentElement.dataset.theme = "light";
} catch {
  // Storage may be closed to us; dark is the default.
}
