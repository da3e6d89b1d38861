// Runs before the app and the first paint; a separate file because inline scripts are blocked.

// A browser that blocks storage throws at every access. Values are then kept in memory until the page is closed.
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("");
  } catch {
    Object.defineProperty(window, name, { value: memoryStorage() });
  }
}

const root = document.documentElement;
// Guests have no choice of their own.
if (root.dataset.theme === "system") {
  const light = matchMedia("(prefers-color-scheme: light)");
  const follow = () => (root.dataset.theme = light.matches ? "light" : "dark");
  follow();
  light.addEventListener("change", follow);
} else if (localStorage.getItem("clipmill-theme") === "light") root.dataset.theme = "light";

function memoryStorage() {
  const values = new Map();
  return {
    get length() {
      return values.size;
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(String(key)) ?? null,
    setItem: (key, value) => void values.set(String(key), String(value)),
    removeItem: (key) => void values.delete(String(key)),
    clear: () => values.clear(),
  };
}
