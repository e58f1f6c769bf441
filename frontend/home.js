// What the home page does besides its island: a request is opened again by its link and its token, the tab's title says
// how far a request has come, after the end of one the form has the focus, and a video that can't be saved is told.

/** Where the console keeps the request of this tab: `app/src/console/stored.rs`. */
const KEY = "vidence.request";

const reopen = document.getElementById("reopen");
const form = reopen.querySelector("form");
const failure = form.querySelector("[role=alert]");

/** What to keep of a request that the server knows by both. Fails with what to tell the person. */
async function find(link, token) {
  const id = link.split(/[?#]/)[0].split("/").filter(Boolean).pop() ?? "";
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`/v1/requests/${encodeURIComponent(id)}`, { headers, cache: "no-store" });
  const found = await response.json();
  if (!response.ok || found.status === "expired") {
    throw new Error(found.error?.message ?? "the request has expired");
  }
  const { expires_at } = found;
  return { id, link: `${location.origin}/r/${id}`, token, expires_at, prompt: "", token_copied: true };
}

let isPending = false;
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isPending) {
    return;
  }
  isPending = true;
  failure.textContent = "";
  const [link, token] = [form.elements.link.value.trim(), form.elements.token.value.trim()];
  try {
    sessionStorage.setItem(KEY, JSON.stringify(await find(link, token)));
    location.reload();
  } catch (error) {
    // The browser's own errors are about the network, or about storage that it refuses.
    failure.textContent =
      error.constructor === Error ? `The server says: ${error.message}.` : "It can’t be opened now. Check your connection and try again.";
  }
  isPending = false;
});
reopen.hidden = false;

const title = document.title;
let wasOpen = false;

function follow() {
  const heading = document.querySelector(".request-header__heading");
  document.title = heading ? `${heading.textContent} · Vidence` : title;
  if (wasOpen && !heading) {
    document.getElementById("prompt").focus();
  }
  wasOpen = Boolean(heading);
}

new MutationObserver(follow).observe(document.querySelector(".request"), {
  characterData: true,
  childList: true,
  subtree: true,
});
follow();

// The worker that saves videos (watch.js) says if it can't.
const told = document.createElement("p");
told.setAttribute("role", "alert");
addEventListener("click", ({ target }) => target.matches(".player-save") && told.remove());
const workers = navigator.serviceWorker;
workers?.addEventListener("message", () => {
  told.textContent = "It can’t be saved now. Try again in a moment.";
  document.querySelector(".player-save")?.after(told);
});
workers?.startMessages();
