// in work
(() => {
  window.dispatchEvent(new Event('x'));
})();
