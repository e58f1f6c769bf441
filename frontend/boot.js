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

try {
  const islands = await import("./GLUE");
  await islands.default({ module_or_path: new URL("WASM", import.meta.url) });
  islands.hydrate();
  for (const element of document.querySelectorAll("leptos-island")) {
    const name = element.dataset.component;
    if (!islands[name]) {
      throw new Error(`no island ${name}: the page and its WASM are from different builds`);
    }
    islands[name](element);
  }
} catch (error) {
  // WebAssembly is off, or a file did not arrive. The buttons stay dead, so the page has to say why.
  document.getElementById("cannot-start")?.removeAttribute("hidden");
  console.error(error);
}
