// The service worker: shows the player's match as it was last seen, also by an open page that followed the event, when there is no connection, marked with its age, and shows
// what the site pushes. It keeps only pages that the server marks with X-Keep, never another person's, never for long.
const PAGES = "pages:", SHELL = "shell";
const DAY = 24 * 3600 * 1000;
const MAX_FILES = 80;
const LEAVES = /^\/(p\/|t\/|accounts\/(login|logout|signup|leave-phone))/;
const GATEWAY = [502, 503, 504];
let departures = 0; // pages asked for before a person left are not kept after it

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self)); // tsc knows `self` as any worker

worker.addEventListener("install", () => worker.skipWaiting());
worker.addEventListener("activate", event => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", event => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate" && LEAVES.test(url.pathname)) { departures += 1; event.waitUntil(forgetPages()); }
  if (request.mode === "navigate" && url.pathname === "/accounts/leave-phone/") event.waitUntil(hearNoMore());
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (request.headers.has("X-Live")) event.respondWith(followed(event, url));
  else if (url.pathname.startsWith("/static/")) event.respondWith(file(event));
});

// A phone that forgets its player shows nothing of theirs and is told nothing any more; the push service says so to the site at the next message.
async function hearNoMore() {
  for (const shown of await worker.registration.getNotifications()) shown.close();
  await (await worker.registration.pushManager.getSubscription())?.unsubscribe();
}

// What an open page was answered when it asked how things are now (static/live.js); 304 says nothing new, a part is no page.
/** @param {FetchEvent} event @param {URL} url */
async function followed(event, url) {
  const before = departures, answer = await fetch(event.request);
  if (answer.status !== 304 && !GATEWAY.includes(answer.status) && !answer.headers.has("X-Part")) event.waitUntil(keep(url, answer.clone(), before));
  return answer;
}

/** @param {FetchEvent} event @param {URL} url */
async function page(event, url) {
  const before = departures;
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    return await keptPage(url) ?? Promise.reject(error);
  }
  if (GATEWAY.includes(answer.status)) return await keptPage(url) ?? answer;
  event.waitUntil(keep(url, answer.clone(), before));
  return answer;
}

/** @param {URL} url @param {Response} answer @param {number} before */
async function keep(url, answer, before) {
  const whose = answer.headers.get("X-Keep");
  if (!answer.ok || !whose || url.search) {
    if (answer.status < 500 && !url.search) for (const name of await pageCaches()) await (await caches.open(name)).delete(url.pathname);
    return;
  }
  await forgetPages(PAGES + whose);
  const headers = new Headers(answer.headers);
  headers.set("X-Kept-At", String(Date.now()));
  const html = await answer.text();
  if (before === departures) await (await caches.open(PAGES + whose)).put(url.pathname, new Response(html, { headers }));
}

/** @param {URL} url */
async function keptPage(url) {
  for (const name of await pageCaches()) {
    const kept = await (await caches.open(name)).match(url.pathname);
    if (!kept || Date.now() - Number(kept.headers.get("X-Kept-At")) > DAY) continue;
    const html = (await kept.text()).replace("<html ", `<html data-kept="${kept.headers.get("X-Kept-At")}" `);
    return new Response(html, { headers: kept.headers });
  }
}

const pageCaches = async () => (await caches.keys()).filter(name => name.startsWith(PAGES));

/** @param {string} [butFor] */
async function forgetPages(butFor) {
  for (const name of await pageCaches()) if (name !== butFor) await caches.delete(name);
}

/** @param {FetchEvent} event */
async function file(event) {
  const shell = await caches.open(SHELL);
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (error) {
    return await shell.match(event.request) ?? Promise.reject(error);
  }
  if (answer.ok) event.waitUntil(shell.put(event.request, answer.clone()).then(() => trim(shell)));
  return answer;
}

/** @param {Cache} shell */
async function trim(shell) {
  const files = await shell.keys();
  for (const old of files.slice(0, Math.max(0, files.length - MAX_FILES))) await shell.delete(old);
}

worker.addEventListener("push", event => {
  const told = event.data?.json() ?? {};
  if (!told.title) return;
  event.waitUntil(worker.registration.showNotification(told.title, /** @type {NotificationOptions} */ ({
    body: told.body, tag: told.tag, renotify: true, icon: "/static/icons/app-192.png", badge: "/static/icons/app-192.png", data: { path: told.path },
  })));
});

worker.addEventListener("notificationclick", event => {
  event.notification.close();
  const path = event.notification.data?.path ?? "/my/";
  event.waitUntil((async () => {
    const open = (await worker.clients.matchAll({ type: "window", includeUncontrolled: true })).find(each => new URL(each.url).pathname === path);
    return open ? open.focus() : worker.clients.openWindow(path);
  })());
});
