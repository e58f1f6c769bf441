// Starts the islands of a page. Leptos's own starter reads a file beside the executable and inlines a
// module; ours is a file, so that the content security policy needs no exception for it.

// Leptos looks for these when it hydrates; a page without resources doesn't define all of them.
for (const name of [
  "__RESOLVED_RESOURCES",
  "__SERIALIZED_ERRORS",
  "__INCOMPLETE_CHUNKS",
  "__PENDING_RESOURCES",
  "__RESOURCE_RESOLVERS",
]) {
  globalThis[name] ??= [];
}

const cannotStart = document.getElementById("cannot-start");

/** Shows or hides that the page can't start. Not from who has chosen a file there already. */
const cannot = (isSo) => {
  cannotStart.hidden = !isSo && !cannotStart.querySelector("[type=file]")?.files.length;
  cannotStart.classList.remove("cannot-start--waiting");
};

cannot(false);
// A line that carries nothing breaks nothing off.
const late = setTimeout(cannot, 20000, true);

// A line may be away for a moment. A module that failed to load may be remembered as failed, by its address.
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
  clearTimeout(late);
  cannot(false);
} catch (error) {
  // WebAssembly is off, or a file did not arrive. The buttons stay dead, so the page has to say why.
  cannot(true);
  console.error(error);
}
