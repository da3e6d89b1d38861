// Runs before the app and the first paint; a separate file because inline scripts are blocked.

// A browser that blocks storage throws at every access. Values are then kept in memory until the page is closed.
for (const name of ["localStorage", "sessionStorage"]) {
  try {
    window[name].getItem("");
  } catch {
    Object.defineProperty(window, name, { value: memoryStorage() });
  }
}

if (localStorage.getItem("clipmill-theme") === "light") document.documentElement.dataset.theme = "light";

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
