/** The field for the six digits of the SMS fills itself where the phone can, and is sent when it is full. */

import { askForCode } from "../../parts/asking.js";
import { html } from "../../app/render.js";
import { t } from "../../app/i18n.js";
import { describe } from "../../app/errors.js";
import { Problem } from "../../api/problems.js";
import { clock, router, session } from "../../app/stores.js";
import { spaced } from "../../parts/contacts/calling-codes.js";
import { deviceName } from "../../parts/device.js";
import { onward } from "../../parts/invitations/joining.js";
import { bar, button, form, screen } from "../../parts/screen.js";
import { plain } from "../../parts/plain.js";
import { fault } from "../../parts/states.js";
import { ticking } from "../../parts/day.js";
import { toast } from "../../parts/toast.js";
import { verificationCode } from "../../parts/invitations/typed-codes.js";

/** @import { Visit } from "../../app/router.js" */

/** @param {Visit} visit */
export function code(visit) {
  const begun = /** @type {any} */ (visit.state);
  let { verification, at } = begun ?? {};
  let digits = "";
  let problem = "";
  let busy = false;
  let spent = false;
  const self = screen(t("code.title"), view);

  const resendAt = () => at + verification.resend_after * 1000;
  const arm = () => void setTimeout(self.draw, Math.max(0, resendAt() - clock.now()) + 50);

  async function signIn() {
    const body = { verification_id: verification.verification_id, code: digits, device_name: deviceName() };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    try {
      return await session.signIn({ ...body, time_zone: timeZone });
    } catch (error) {
      // A browser may know a zone that the service does not; it can be chosen later.
      if (!(error instanceof Problem) || error.pointer !== "/time_zone") throw error;
      return await session.signIn(body);
    }
  }

  async function submit() {
    if (busy || digits.length < 6) return;
    busy = true;
    problem = "";
    self.draw();
    try {
      const { user } = await signIn();
      // The sign-in itself has led on from here: a newcomer may be typing a name already, others may be elsewhere.
      if (user.first_name && location.pathname === router.path("home")) onward();
      return;
    } catch (error) {
      refuse(error);
    }
    busy = false;
    self.draw();
  }

  /** @param {unknown} error */
  function refuse(error) {
    digits = "";
    const left = error instanceof Problem && error.code === "verification_failed"
      ? error.attemptsRemaining
      : null;
    spent = left === 0 || (error instanceof Problem && error.code === "too_many_attempts");
    problem = spent
      ? t("code.spent")
      : left === null
      ? describe(error).text
      : t("code.wrong", { count: left });
    self.element.querySelector("input")?.focus();
  }

  async function again() {
    try {
      verification = await askForCode(begun.number);
      at = clock.now();
      digits = problem = "";
      spent = false;
      arm();
      self.element.querySelector("input")?.focus();
      toast(t("code.sent"));
    } catch (error) {
      problem = describe(error).text;
    }
    self.draw();
  }

  /** What was typed, autofilled or pasted: the digits so far, or a text with the code in it. @param {any} event */
  function typed(event) {
    if (event.isComposing) return;
    take(event.target.value);
    event.target.value = digits;
  }

  /** A code that is pasted takes the place of what was typed. @param {any} event */
  function pasted(event) {
    const found = verificationCode(event.clipboardData?.getData("text") ?? "");
    if (!found) return;
    event.preventDefault();
    take(found);
  }

  /** @param {string} text */
  function take(text) {
    const found = verificationCode(text) ?? plain(text).replace(/\D/g, "");
    // Of more than six digits nobody knows which ones are meant.
    problem = found.length > 6 ? t("code.six") : "";
    if (found.length <= 6) digits = found;
    self.draw();
    if (found.length === 6) void submit();
  }

  /** Chromium on Android reads the SMS that ends in this page's host. */
  async function listen() {
    if (!("OTPCredential" in window)) return;
    const options = /** @type {any} */ ({ otp: { transport: ["sms"] }, signal: self.signal });
    const otp = /** @type {any} */ (await navigator.credentials.get(options).catch(() => null));
    if (!otp?.code) return;
    take(otp.code);
  }

  function view() {
    const waiting = resendAt() > clock.now();
    const left = () => t("code.wait", { seconds: Math.max(0, Math.ceil((resendAt() - clock.now()) / 1000)) });
    return html`
      ${bar(router.path("sign-in"))}
      <h1>${t("code.title")}</h1>
      <p class="quiet">${t("code.text", { number: spaced(begun.number) })}</p>
      ${form(submit, html`
        <div class="cells">
          <input
            aria-label=${t("code.label")}
            aria-describedby="code-fault"
            aria-invalid=${problem ? "true" : null}
            autofocus
            inputmode="numeric"
            autocomplete="one-time-code"
            dir="ltr"
            .value=${digits}
            ?readonly=${busy}
            @input=${typed}
            @compositionend=${typed}
            @paste=${pasted}
          />
          <div aria-hidden="true" dir="ltr" class=${busy ? "busy" : ""}>
            ${[0, 1, 2, 3, 4, 5].map((place) =>
              html`<span class=${place === digits.length ? "next" : ""}>${digits[place] ?? ""}</span>`
            )}
          </div>
        </div>
        ${fault(problem, "code-fault")}
        ${spent || !waiting
          ? button(t("code.again"), { kind: spent ? "primary" : "", click: again })
          : html`<p class="quiet small center">${ticking(left)}</p>`}
        ${button(t("code.other"), { kind: "plain", click: () => router.back(router.path("sign-in")) })}
      `, "stack loose")}
    `;
  }

  if (!verification) {
    queueMicrotask(() => router.go(router.path("sign-in"), { replace: true }));
    return { title: t("code.title"), element: self.element, leave: self.leave };
  }
  arm();
  void listen();
  return self.begin();
}
