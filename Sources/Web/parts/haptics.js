/** Short pulses of a phone, for a hand that holds it. Where a browser has none, nothing happens. */

const pulses = {
  shutter: 10,
  hold: 15,
  send: 20,
  sent: [15, 60, 15],
  limit: [30, 60, 30],
  error: [60, 40, 60],
};

/** @param {keyof typeof pulses} moment */
export const buzz = (moment) => void navigator.vibrate?.(pulses[moment]);
