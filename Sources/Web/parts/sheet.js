/**
 * A sheet is a modal <dialog>: Escape and a tap beside it close it, and the focus returns to where it was.
 */
import { html, render } from "../app/render.js";
import { t } from "../app/i18n.js";
import { button, iconButton } from "./screen.js";

/** @typedef {{close: () => void, draw: () => void}} Sheet */

/** @param {string} title @param {(sheet: Sheet) => unknown} view @param {() => void} [closed] @returns {Sheet} */
export function openSheet(title, view, closed) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-label", title);
  const sheet = {
    close: () => dialog.close(),
    draw: () =>
      render(
        html`
          <div class="line apart">
            <h2 class="grow">${title}</h2>
            ${iconButton("close", t("action.close"), sheet.close)}
          </div>
          ${view(sheet)}
        `,
        dialog,
      ),
  };
  closeBeside(dialog);
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed?.();
  });
  sheet.draw();
  document.body.append(dialog);
  dialog.showModal();
  return sheet;
}

/**
 * Closes the sheet for a tap that begins beside it. A tap on the sheet's own edge has the dialog as its target, too, and a
 * selection of text that begins inside may end beside it.
 * @param {HTMLDialogElement} dialog
 */
function closeBeside(dialog) {
  let isBeside = false;
  dialog.addEventListener("pointerdown", ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    isBeside = target === dialog && (x < left || x > right || y < top || y > bottom);
  });
  dialog.addEventListener("click", ({ target }) => isBeside && target === dialog && dialog.close());
}

/** Asks before something that cannot be undone. @param {{title: string, text: string, yes: string, danger?: boolean}} question @returns {Promise<boolean>} */
export function ask({ title, text, yes, danger = true }) {
  return new Promise((resolve) => {
    let answer = false;
    const agree = (/** @type {Sheet} */ sheet) => {
      answer = true;
      sheet.close();
    };
    openSheet(title, (sheet) => html`
      <p>${text}</p>
      <div class="stack">
        ${button(yes, { kind: danger ? "danger" : "primary", click: () => agree(sheet) })}
        ${button(t("action.cancel"), { kind: "plain", click: sheet.close })}
      </div>
    `, () => resolve(answer));
  });
}
