// Adds a button to every block of code that copies it, and shows the choice that the address names. Without this script
// a click selects a block, and all choices can be made.

const SHOWN_MS = 2000;

/** Says what a press did to screen readers, which don't notice that the text of a button changes. */
const status = document.createElement("p");
status.className = "visually-hidden";
status.setAttribute("role", "status");
document.body.append(status);

/** Copies a text. Outside of secure contexts only what is selected can be copied. */
async function copy(code) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(code.textContent);
  }
  getSelection().selectAllChildren(code);
  if (!document.execCommand("copy")) {
    throw new Error("the browser refuses");
  }
}

for (const block of document.querySelectorAll(".code-block")) {
  const code = block.querySelector("code");
  const heading = block.closest("section")?.querySelector("h2, h3")?.textContent ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-button";
  const label = document.createElement("span");
  const about = document.createElement("span");
  about.className = "visually-hidden";
  about.textContent = ` ${heading}`;
  label.textContent = "Copy";
  button.append(label, about);
  button.addEventListener("click", async () => {
    const copied = await copy(code).then(
      () => "Copied",
      () => "Select it, please",
    );
    label.textContent = status.textContent = copied;
    setTimeout(() => {
      label.textContent = "Copy";
      status.textContent = "";
    }, SHOWN_MS);
  });
  block.append(button);
}

/** Shows the choice at the address. */
function showChoice() {
  const panel = document.getElementById(location.hash.slice(1));
  if (panel?.matches(".choice__panel")) {
    document.getElementById(`choose-${panel.id}`).checked = true;
    panel.parentElement.scrollIntoView();
  }
}

addEventListener("hashchange", showChoice);
showChoice();
