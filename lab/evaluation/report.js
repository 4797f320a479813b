"use strict";
(() => {
  const tools = document.querySelector(".tools");
  if (!tools) return;
  const moments = [...document.querySelectorAll("details.moment")];
  const step = tools.querySelector("#step");
  const kind = tools.querySelector("#kind");
  const shown = tools.querySelector("#shown");
  const filter = () => {
    let count = 0;
    for (const each of moments) {
      const fits = (!step.value || each.dataset.step === step.value) &&
        (!kind.value || each.dataset.kind === kind.value);
      each.hidden = !fits;
      if (fits) count += 1;
    }
    shown.textContent = `${count} of ${moments.length} shown`;
  };
  const open = (is) => moments.forEach((each) => { if (!each.hidden) each.open = is; });
  step.addEventListener("change", filter);
  kind.addEventListener("change", filter);
  tools.querySelector("#open").addEventListener("click", () => open(true));
  tools.querySelector("#close").addEventListener("click", () => open(false));
  tools.hidden = false;
  filter();
})();
