// sw.js - keeps the site for reading and playing without a network. VERSION and FILES are written by make.
const VERSION = "@VERSION@", FILES = ["@FILES@"];

self.addEventListener("install", (e) => {
  e.waitUntil(caches.open(VERSION).then((c) => c.addAll(FILES)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (e) => {
  e.waitUntil(caches.keys().then((all) => Promise.all(all.filter((n) => n !== VERSION).map((n) => caches.delete(n)))).then(() => self.clients.claim()));
});
// What is kept first; what is not, such as another page, from the network and kept from then on.
self.addEventListener("fetch", (e) => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(caches.match(e.request, { ignoreSearch: true }).then((kept) => kept || fetch(e.request).then((got) => {
    if (got.ok) {
      const copy = got.clone();
      e.waitUntil(caches.open(VERSION).then((c) => c.put(e.request, copy)));
    }
    return got;
  })));
});
