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
const timeout = setTimeout(showFallback, 6e4, true);

// A sheet closes once a file is chosen in it, dragged over the page or pasted: what becomes of it is told below the sheet.
addEventListener("change", ({ target }) => {
  if (target.type === "file") {
    target.closest("[popover]")?.hidePopover?.();
    page && clearTicks();
  }
});
for (const type of ["dragenter", "paste"]) {
  addEventListener(type, ({ dataTransfer, clipboardData }) => {
    if ((dataTransfer ?? clipboardData)?.types.includes("Files")) {
      document.querySelectorAll("[popover]").forEach((sheet) => sheet.hidePopover?.());
      /^(idle|blo|req|pre)/.test(state) && clearTicks();
    }
  });
}

// A ticked step is sent with its moment: of the recording, half a second after what its timer shows, or of the review. It
// makes room for the next step, which takes over the focus; in the open sheet all of them stay.
const page = document.querySelector("[data-request]");
const steps = [...document.querySelectorAll(".step input")];
let state = page?.dataset.state;

// What the server wrote for the JSON of the submission, to which the ticks are added. This tab keeps them: after a reload it
// may send the recording at once. Best effort, as some browsers switch storage off.
const { request, submission = "" } = page?.dataset ?? {};
const noteTicks = () => {
  const moments = steps.map((step) => step.at);
  const ticks = moments.flatMap((at, index) => (Number.isInteger(at) ? `{"line":${index + 1},"at_ms":${at}}` : []));
  page.dataset.submission = submission + (ticks[0] ? `,"ticks":[${ticks}]` : "");
  try {
    steps[0] && (sessionStorage["vidence.ticks"] = JSON.stringify([request, ...moments]));
  } catch {}
};

const clearTicks = () => {
  steps.forEach((step) => ((step.checked = false), (step.at = NaN)));
  noteTicks();
};

try {
  const [of, ...moments] = JSON.parse(sessionStorage["vidence.ticks"]);
  if (of === request) {
    steps.forEach((step, index) => (step.checked = Number.isInteger((step.at = moments[index]))));
    noteTicks();
  }
} catch {}

addEventListener("change", ({ target }) => {
  if (steps.includes(target)) {
    const timer = page.querySelector("[data-slot=recorded]").textContent.split(":");
    const seconds = /rec|pau|stop/.test(state)
      ? timer.reduce((sum, part) => sum * 60 + +part, 0) + 0.5
      : /^(rev|conf|sub)/.test(state)
        ? page.querySelector("[data-element=review]").currentTime
        : NaN;
    target.at = target.checked ? Math.round(seconds * 1000) : NaN;
    noteTicks();
    // The open sheet is a dialog, and without popovers all steps are shown. To ask the layout would make it twice.
    if (target.checked && "popover" in target && !target.closest("[role=dialog]")) {
      document.querySelector(".step input:not(:checked)")?.focus({ preventScroll: true });
    }
  }
});

// A new recording begins with nothing ticked.
const follow = () => {
  const before = state;
  ({ state } = page.dataset);
  if (state !== before && before !== "paused" && /idle|pre|rec/.test(state)) {
    clearTicks();
  }
};
page && new MutationObserver(follow).observe(page, { attributeFilter: ["data-state"] });

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

/**
 * Loads the island, with three retries. Browsers may remember by its URL that a module failed to load. One that doesn't
 * know 'wasm-unsafe-eval' (Safari before 16) never loads it.
 */
const load = async (attempt = 0) => {
  try {
    const islands = await import(`./GLUE${attempt ? "?" + attempt : ""}`);
    await islands.default({ module_or_path: new URL("WASM", import.meta.url) });
    return islands;
  } catch (error) {
    if (attempt > 2 || error instanceof EvalError) {
      throw error;
    }
    await new Promise((done) => setTimeout(done, 1000 << attempt));
    return load(attempt + 1);
  }
};

try {
  const islands = await load();
  // As a task of its own, so that a press on a slow phone waits for one of the two only.
  await new Promise((done) => setTimeout(done));
  islands.hydrate();
  for (const element of document.querySelectorAll("leptos-island")) {
    // Fails where the page and its WASM are from different builds.
    islands[element.dataset.component](element);
  }
  clearTimeout(timeout);
  showFallback(false);
} catch (error) {
  // WebAssembly is disabled, or a file couldn't be loaded. The buttons stay disabled.
  showFallback(true);
  console.error(error);
}
