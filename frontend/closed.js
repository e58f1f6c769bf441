// Deletes what this browser stores for a link that is over, and shows its receipt if the video was sent from here. What
// it stores for other links is deleted when a link is opened that isn't over, by the server's clock. The names are those
// of `app/src/browser/storage/indexed_db` and `app/src/recorder/take/receipt.rs`.

const [, request] = location.pathname.match(/^\/r\/([^/]+)$/) ?? [];

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

/** Deletes the request's take with its pieces. */
async function deleteTake(database) {
  const transaction = database.transaction(["takes", "pieces"], "readwrite");
  const [takes, pieces] = ["takes", "pieces"].map((name) => transaction.objectStore(name));
  const take = await resultOf(takes.get(request));
  if (take) {
    takes.delete(request);
    // In a key an array sorts after every number, so this covers all pieces of the take.
    pieces.delete(IDBKeyRange.bound([take.name], [take.name, []]));
  }
}

try {
  const database = await open();
  await deleteTake(database);
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
  const receipts = (localStorage.getItem(RECEIPTS) ?? "").split("\n").map((line) => line.split("\t"));
  const receipt = receipts.find(([of]) => of === request);
  if (receipt && sent) {
    showReceipt(receipt);
  } else if (receipt) {
    const others = receipts.filter((it) => it !== receipt).map((fields) => fields.join("\t"));
    localStorage.setItem(RECEIPTS, others.join("\n"));
  }
} catch {
  // The browser stores nothing.
}
