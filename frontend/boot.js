// Hydrates the islands of a page. Leptos's own starter reads a file beside the executable and inlines a module; this
// file needs no exception in the content security policy.

// Leptos reads these when it hydrates; a page without resources doesn't define all of them.
for (const name of [
  "__RESOLVED_RESOURCES",
  "__SERIALIZED_ERRORS",
  "__INCOMPLETE_CHUNKS",
  "__PENDING_RESOURCES",
  "__RESOURCE_RESOLVERS",
]) {
  globalThis[name] ??= [];
}

const fallback = document.getElementById("cannot-start");

/** Shows or hides the fallback. It stays once the person has chosen a file in it. */
const showFallback = (isShown) => {
  fallback.hidden = !isShown && !fallback.querySelector("[type=file]")?.files.length;
  fallback.classList.remove("cannot-start--waiting");
};

showFallback(false);
// A stalled connection raises no error.
const timeout = setTimeout(showFallback, 20000, true);

// A sheet closes once a file is chosen in it, dragged over the page or pasted: what becomes of it is told below the sheet.
addEventListener("change", ({ target }) => target.type === "file" && target.closest("[popover]")?.hidePopover?.());
for (const type of ["dragenter", "paste"]) {
  addEventListener(type, ({ dataTransfer, clipboardData }) => {
    if ((dataTransfer ?? clipboardData)?.types.includes("Files")) {
      document.querySelectorAll("[popover]").forEach((sheet) => sheet.hidePopover?.());
    }
  });
}

// A ticked step makes room for the next one, which takes over the focus. In the open sheet all of them stay.
addEventListener("change", ({ target }) => {
  if (target.closest(".step") && !target.getClientRects().length) {
    document.querySelector(".step input:not(:checked)")?.focus();
  }
});

// The instruction is a part of the page, and a dialog while it is open as a sheet.
const openedAs = { role: "dialog", "aria-labelledby": "prompt-heading" };
addEventListener(
  "toggle",
  ({ target, newState }) => {
    if (target.id === "prompt-text") {
      for (const [name, value] of Object.entries(openedAs)) {
        newState === "open" ? target.setAttribute(name, value) : target.removeAttribute(name);
      }
    }
  },
  true,
);

/** Loads the island, with three retries. Browsers may remember by its URL that a module failed to load. */
const load = async (attempt = 0) => {
  try {
    const islands = await import(`./GLUE${attempt ? "?" + attempt : ""}`);
    await islands.default({ module_or_path: new URL("WASM", import.meta.url) });
    return islands;
  } catch (error) {
    if (attempt === 3) {
      throw error;
    }
    await new Promise((done) => setTimeout(done, 1000 << attempt));
    return load(attempt + 1);
  }
};

try {
  const islands = await load();
  islands.hydrate();
  for (const element of document.querySelectorAll("leptos-island")) {
    const name = element.dataset.component;
    if (!islands[name]) {
      throw new Error(`no island ${name}: the page and its WASM are from different builds`);
    }
    islands[name](element);
  }
  clearTimeout(timeout);
  showFallback(false);
} catch (error) {
  // WebAssembly is disabled, or a file couldn't be loaded. The buttons stay disabled.
  showFallback(true);
  console.error(error);
}
