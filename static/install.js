// Registers the service worker where the browser has one: over HTTPS, and on this very machine. Elsewhere pages just work live.
navigator.serviceWorker?.register("/sw.js", { scope: "/" }).catch(() => { /* the page works without it */ });
