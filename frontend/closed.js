// Deletes what this browser stores for this link, which is over, and for others that are over by the server's clock, and
// shows the link's receipt if the video was sent from here. The names are those of `app/src/browser/storage/indexed_db`
// and `app/src/recorder/take/receipt.rs`.

const [, request] = location.pathname.match(/^\/r\/([^/]+)$/) ?? [];

const now = Number(document.querySelector("main").dataset.now);

/** Awaits the result of an IndexedDB request. */
function resultOf(asked) {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** Opens the database, and fails if there is none: it isn't created. */
function open() {
  const opening = indexedDB.open("vidence", 1);
  opening.onupgradeneeded = () => opening.transaction.abort();
  return resultOf(opening);
}

/** Deletes the takes of requests that are over, with their pieces. */
async function deleteTakes(database) {
  const transaction = database.transaction(["takes", "pieces"], "readwrite");
  const [takes, pieces] = ["takes", "pieces"].map((name) => transaction.objectStore(name));
  const [requests, records] = await Promise.all([takes.getAllKeys(), takes.getAll()].map(resultOf));
  records.forEach(({ name, expiresAt }, index) => {
    if (requests[index] !== request && !(expiresAt <= now)) return;
    takes.delete(requests[index]);
    // In a key an array sorts after every number, so this covers all pieces of the take.
    pieces.delete(IDBKeyRange.bound([name], [name, []]));
  });
}

try {
  const database = await open();
  await deleteTakes(database);
  database.close();
} catch {
  // Nothing is stored, or the browser can't delete it now: the next visit to a link tries again.
}

const RECEIPTS = "vidence.receipts";
const sent = document.getElementById("sent-from-here");

/** Shows the receipt instead of what others are told. */
function showReceipt([, , ...texts]) {
  ["time", "summary", "until"].forEach((name, index) => {
    sent.querySelector(`[data-slot="${name}"]`).textContent = texts[index];
  });
  sent.nextElementSibling.hidden = true;
  sent.hidden = false;
  const save = sent.querySelector("button");
  save.disabled = false;
  save.addEventListener("click", () => {
    const text = `${sent.querySelector("[data-element=receipt]").innerText}\n${location.href}\n`;
    const href = URL.createObjectURL(new Blob([text]));
    Object.assign(document.createElement("a"), { href, download: "receipt.txt" }).click();
  });
}

try {
  const stored = localStorage.getItem(RECEIPTS);
  const receipts = stored ? stored.split("\n").map((line) => line.split("\t")) : [];
  const current = receipts.filter(([of, until]) => (of === request ? sent : !(Date.parse(until) <= now)));
  if (current.length < receipts.length) {
    localStorage.setItem(RECEIPTS, current.map((fields) => fields.join("\t")).join("\n"));
  }
  const receipt = current.find(([of]) => of === request);
  if (receipt) showReceipt(receipt);
} catch {
  // The browser stores nothing.
}
