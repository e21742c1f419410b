// "Notify me when I'm paired": asks the browser for Web Push and hands its address to the server, or takes it back.
// Over plain HTTP browsers have none: then the part says nothing about it, and the page itself stays live.
const place = document.getElementById("tell");
const part = /** @type {HTMLElement} */ (place), push = /** @type {HTMLElement} */ (place?.querySelector("[data-push]"));
const canPush = place && isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const needsHome = place && isSecureContext && navigator.standalone === false;
const OWNER = "doomdesk-told";
const { key = "", who = "", on = "", off = "" } = place?.dataset ?? {};

const turns = /** @type {NodeListOf<HTMLButtonElement>} */ (push?.querySelectorAll("[data-turn]"));

/** @param {"on" | "off" | "failed" | "blocked" | "home"} state */
function show(state) {
  part.hidden = false;
  push.hidden = false;
  for (const each of push.querySelectorAll("[data-state]")) each.hidden = each.dataset.state !== state;
  for (const button of turns) button.hidden = button.dataset.turn === "on" ? !["off", "failed"].includes(state) : state !== "on";
}

function keyBytes() {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, letter => letter.charCodeAt(0));
}

/** @param {PushSubscription} held */
const isOurs = held => new Uint8Array(held.options.applicationServerKey ?? []).join() === keyBytes().join();

/** @param {string} address @param {Record<string, string>} fields */
async function post(address, fields) {
  const token = /** @type {HTMLInputElement} */ (push.querySelector("input[name=csrfmiddlewaretoken]")).value;
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: token }) });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}

async function look() {
  if (Notification.permission === "denied") return show("blocked");
  const worker = await navigator.serviceWorker.getRegistration("/"), held = await worker?.pushManager.getSubscription();
  if (held && (localStorage.getItem(OWNER) !== who || !isOurs(held))) {
    await held.unsubscribe();
    return show("off");
  }
  show(held ? "on" : "off");
  if (held && !sessionStorage.getItem(OWNER)) await register(held);
}

// The server forgets browsers whose link was revoked or whose push service lost them; the page that is open tells it again.
/** @param {PushSubscription} held */
async function register(held) {
  const { p256dh = "", auth = "" } = held.toJSON().keys ?? {};
  await post(on, { endpoint: held.endpoint, p256dh, auth });
  sessionStorage.setItem(OWNER, who);
}

async function turnOn() {
  if (await Notification.requestPermission() !== "granted") return look();
  const worker = await navigator.serviceWorker.ready;
  const held = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: keyBytes() });
  try {
    await register(held);
  } catch (error) {
    await held.unsubscribe();
    throw error;
  }
  localStorage.setItem(OWNER, who);
  await look();
}

async function turnOff() {
  const worker = await navigator.serviceWorker.getRegistration("/"), held = await worker?.pushManager.getSubscription();
  if (held) {
    await post(off, { endpoint: held.endpoint });
    await held.unsubscribe();
  }
  await look();
}

if (canPush) {
  for (const button of turns) button.addEventListener("click", async () => {
    button.disabled = true;
    try { await (button.dataset.turn === "on" ? turnOn() : turnOff()); } catch { show("failed"); }
    button.disabled = false;
  });
  look().catch(() => show("failed"));
} else if (needsHome) show("home");
