// The clock of the round, counted from the server's time. Pages without this file say until when instead.
//
// `doomdesk.serverNow()` is the server's time in ms (NaN until it was asked once). It counts with performance.now(), so
// a wrong clock of the device does not matter; the offset is that of the fastest of several answers (half the way there
// and back taken off), asked again after sleep. The data of a clock stand in `data-clock-is` (`Clock.data`).
"use strict";

const doomdesk = (window.doomdesk ??= {});

if (!doomdesk.serverNow) {
  const SAMPLES = 4;
  const BETWEEN_SAMPLES = 250;
  const POLL = 30_000;
  const ASLEEP = 1500;
  const best = { offset: NaN, way: Infinity };
  /** @type {WeakMap<HTMLElement, { mark: string, left: number, due: number, place: number, minute: number }>} */
  const shown = new WeakMap();
  /** @type {Promise<void> | null} */
  let asking = null;
  /** @type {Promise<void> | null} */
  let waiting = null;
  let isAnew = false;
  let drift = Date.now() - performance.now();

  const serverNow = () => performance.now() + best.offset;
  /** @param {number} seconds */
  const clockWords = (seconds) => {
    const late = seconds <= 0;
    const whole = late ? Math.floor(-seconds) : Math.ceil(seconds);
    return `${late && whole ? "+" : ""}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  };

  const clocks = () => [...document.querySelectorAll("[data-clock]")];
  /** How late a clock is shown, in ms: on a stream. @param {HTMLElement} clock */
  const behind = (clock) => Number(clock.dataset.behind ?? 0) * 1000;
  /** What every clock holds. @param {HTMLElement} clock @param {string} selector */
  const must = (clock, selector) => /** @type {HTMLElement} */ (clock.querySelector(selector));
  /** @param {HTMLElement} clock @returns {ClockData | null} */
  const dataOf = (clock) => JSON.parse(clock.dataset.clockIs || "null");

  /**
   * The phase a clock is in at an instant: how it stands and the seconds left, a table's extra time in the round.
   * @param {ClockData} data @param {number} at @returns {ClockNow}
   */
  const clockAt = (data, at) => {
    const phases = data.phases;
    const last = phases.length - 1;
    const place = phases.findIndex((phase, index) => index === last || phase.ends === null || at < phase.ends);
    const phase = phases[place];
    const extra = phase.phase === "round" ? data.extra : 0;
    const left = phase.ends === null ? phase.left + extra : (phase.ends - at) / 1000 + extra;
    const state = phase.paused ? "paused" : phase.ends === null || at < phase.starts ? "not started" : left > 0 ? "running" : "over";
    return { phase, place, left, state, ends: phase.ends === null ? null : phase.ends + extra * 1000 };
  };

  /** @param {string} address @returns {Promise<ClockTold>} */
  const sample = async (address) => {
    const sent = performance.now();
    const answer = await fetch(address, { cache: "no-store", headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    const told = await answer.json();
    const came = performance.now();
    const way = came - sent;
    if (way <= best.way) Object.assign(best, { way, offset: told.now + way / 2 - came });
    return told;
  };

  /** @param {string} address @param {ClockTold} told */
  const take = (address, told) => {
    for (const clock of clocks().filter((each) => each.dataset.clock === address)) {
      const put = () => {
        clock.hidden = told.clock === null;
        clock.dataset.clockIs = JSON.stringify(told.clock);
        const next = clock.querySelector("[data-clock-next]");
        if (next) next.textContent = told.next;
      };
      if (behind(clock)) setTimeout(put, behind(clock)); else put();
    }
    document.dispatchEvent(new CustomEvent("doomdesk:clock", { detail: told }));
    tick();
  };

  /** Ask how the clocks stand; `anew` measures the offset from nothing. */
  const ask = async (anew = false) => {
    if (anew) best.way = Infinity;
    const addresses = [...new Set(clocks().map((clock) => clock.dataset.clock ?? ""))];
    for (const address of addresses) {
      const rounds = best.way === Infinity ? SAMPLES : 1;
      for (let count = 0; count < rounds; count += 1) {
        if (count) await new Promise((wake) => setTimeout(wake, BETWEEN_SAMPLES));
        try {
          take(address, await sample(address));
        } catch {
          break;
        }
      }
    }
  };
  /** Ask, once more where an answer already under way may be older than what led to the question. */
  const askClock = (anew = false) => {
    isAnew ||= anew;
    waiting ??= (asking ?? Promise.resolve()).catch(() => {}).then(() => {
      const fresh = isAnew;
      [waiting, isAnew] = [null, false];
      asking = ask(fresh);
      return asking;
    });
    return waiting;
  };

  /** @param {HTMLElement} clock @param {string} words */
  const say = (clock, words) => {
    const place = clock.querySelector("[data-clock-tell]");
    if (place && place.textContent !== words) place.textContent = words;
  };

  /** @typedef {Record<"minute" | "minutes" | "paused" | "over" | "waiting" | "since" | "ends", string>} Words */
  /** @param {HTMLElement} clock */
  const wordsOf = (clock) => /** @type {Words} */ (must(clock, "[data-clock-words]").dataset);
  /** @param {Words} words @param {number} minutes */
  const warn = (words, minutes) => (minutes === 1 ? words.minute : words.minutes.replace("%n", String(minutes)));

  /** What stands beside the time: a warning, that it stands, or when it ends. @param {ClockNow} now @param {Words} words */
  const stateOf = (now, words) => {
    const state = document.createElement("span");
    const due = now.state === "running" && now.phase.warnings.some((each) => now.left <= each);
    const [look, text] = {
      running: ["wait", due ? warn(words, Math.ceil(now.left / 60)) : ""],
      paused: ["wait", words.paused],
      over: ["wrong", words.over],
      "not started": ["plain", words.waiting],
    }[now.state];
    state.className = `state ${look}`;
    state.textContent = text;
    return text ? [state] : [];
  };

  /** @param {HTMLElement} clock @param {ClockNow} now */
  const endWords = (clock, now) => {
    if (now.ends === null || !["running", "over"].includes(now.state)) return "";
    const zone = clock.dataset.zone || undefined;
    const time = new Intl.DateTimeFormat(document.documentElement.lang || "en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
    return wordsOf(clock)[now.state === "over" ? "since" : "ends"].replace("%t", time.format(now.ends));
  };

  /** @param {HTMLElement} clock */
  const show = (clock) => {
    const data = dataOf(clock);
    if (!data || Number.isNaN(best.offset)) return;
    const now = clockAt(data, serverNow() - behind(clock));
    const words = wordsOf(clock);
    const mark = `${now.place} ${now.state} ${now.ends} ${now.phase.left}`;
    const before = shown.get(clock);
    const same = before?.mark === mark ? before : null;
    const left = same && now.left > same.left && now.left - same.left < 2 ? same.left : now.left;
    clock.dataset.state = now.state;
    const text = clockWords(left);
    const place = must(clock, "[data-clock-left]");
    if (place.textContent !== text) place.textContent = text;
    const phase = must(clock, "[data-clock-phase]");
    if (phase.textContent !== now.phase.words) phase.textContent = now.phase.words;
    const due = now.state === "over" ? 0 : now.state === "running" ? Math.min(...[...now.phase.warnings, Number(clock.dataset.also ?? Infinity)].filter((each) => left <= each)) : Infinity;
    if (same?.minute !== Math.ceil(left / 60)) {
      must(clock, "[data-clock-says]").replaceChildren(...stateOf(now, words), ` ${endWords(clock, now)}`);
    }
    if (before && before.place === now.place && before.due > due) {
      say(clock, due === 0 ? words.over : warn(words, due / 60));
      clock.dispatchEvent(new CustomEvent("doomdesk:warning", { bubbles: true, detail: { due } }));
    }
    shown.set(clock, { mark, left, due, place: now.place, minute: Math.ceil(left / 60) });
  };

  function tick() {
    clocks().forEach(show);
  }

  const woke = () => {
    const seen = Date.now() - performance.now();
    const slept = Math.abs(seen - drift) > ASLEEP;
    drift = seen;
    return slept;
  };

  setInterval(() => {
    if (woke()) askClock(true);
    tick();
  }, 200);
  setInterval(() => { if (!document.hidden) askClock(); }, POLL);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) askClock(true); });
  for (const change of ["doomdesk:change", "doomdesk:swapped"]) document.addEventListener(change, () => askClock());
  addEventListener("online", () => askClock(true));
  Object.assign(doomdesk, { serverNow, clockWords, clockAt, askClock });
  askClock(true);
}
