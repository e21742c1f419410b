// "Tell me when I am paired": asks the browser for Web Push and hands its address to the server, or takes it back.
// Over plain HTTP browsers have none: then the part says nothing about it, and the page itself stays live.
const part = document.getElementById("tell"), push = part?.querySelector("[data-push]");
const canPush = part && isSecureContext && "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const needsHome = part && isSecureContext && navigator.standalone === false;
const OWNER = "doomdesk-told";

function show(state) {
  part.hidden = false;
  push.hidden = false;
  for (const each of push.querySelectorAll("[data-state]")) each.hidden = each.dataset.state !== state;
  push.querySelector("[data-turn=on]").hidden = !["off", "failed"].includes(state);
  push.querySelector("[data-turn=off]").hidden = state !== "on";
}

function bytesOf(key) {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, letter => letter.charCodeAt(0));
}

const isOurs = held => new Uint8Array(held.options.applicationServerKey ?? []).join() === bytesOf(part.dataset.key).join();

async function post(address, fields) {
  const token = push.querySelector("input[name=csrfmiddlewaretoken]").value;
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams({ ...fields, csrfmiddlewaretoken: token }) });
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}

async function look() {
  if (Notification.permission === "denied") return show("blocked");
  const worker = await navigator.serviceWorker.getRegistration("/"), held = await worker?.pushManager.getSubscription();
  if (held && (localStorage.getItem(OWNER) !== part.dataset.who || !isOurs(held))) {
    await held.unsubscribe();
    return show("off");
  }
  show(held ? "on" : "off");
  if (held && !sessionStorage.getItem(OWNER)) await register(held);
}

// The server forgets browsers whose link was revoked or whose push service lost them; the page that is open tells it again.
async function register(held) {
  const { endpoint, keys } = held.toJSON();
  await post(part.dataset.on, { endpoint, p256dh: keys.p256dh, auth: keys.auth });
  sessionStorage.setItem(OWNER, part.dataset.who);
}

async function turnOn() {
  if (await Notification.requestPermission() !== "granted") return look();
  const worker = await navigator.serviceWorker.ready;
  const held = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(part.dataset.key) });
  try {
    await register(held);
  } catch (error) {
    await held.unsubscribe();
    throw error;
  }
  localStorage.setItem(OWNER, part.dataset.who);
  await look();
}

async function turnOff() {
  const worker = await navigator.serviceWorker.getRegistration("/"), held = await worker?.pushManager.getSubscription();
  if (held) {
    await post(part.dataset.off, { endpoint: held.endpoint });
    await held.unsubscribe();
  }
  await look();
}

if (canPush) {
  for (const button of push.querySelectorAll("[data-turn]")) button.addEventListener("click", async () => {
    button.disabled = true;
    try { await (button.dataset.turn === "on" ? turnOn() : turnOff()); } catch { show("failed"); }
    button.disabled = false;
  });
  look().catch(() => show("failed"));
} else if (needsHome) show("home");
