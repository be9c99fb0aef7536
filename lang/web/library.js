// library.js - what web.c calls of JavaScript; linked in by emscripten.
mergeInto(LibraryManager.library, {
  web_progress: function (done, of) {
    if (Module.progress) Module.progress(done, of);
  },
});
