"use strict";
(async () => {
  const by = (id) => document.getElementById(id);
  const keys = { 1: "left", arrowleft: "left", 2: "right", arrowright: "right", s: "same", b: "bad" };
  const faulty = (text) => { by("fault").textContent = text; by("fault").hidden = !text; };
  const lines = (id, texts) => {
    by(id).replaceChildren(...texts.map((text) => {
      const line = document.createElement("p");
      line.className = "line";
      line.textContent = text;
      return line;
    }));
  };
  let pairs = [], queue = [], at = 0, isBusy = false;

  const show = async () => {
    const done = pairs.length - queue.length + at;
    by("count").textContent = `${done} of ${pairs.length} judged`;
    const pair = queue[at];
    by("pair").hidden = !pair;
    by("end").hidden = Boolean(pair);
    if (!pair) {
      const told = await (await fetch("/result.json")).json();
      by("end").textContent = `All are judged. ${told.sentence} Ctrl-C in the terminal ends this page.`;
      return;
    }
    by("task").textContent = pair.task;
    for (const id of ["who", "case", "left", "right"]) lines(id, pair[id]);
  };

  const judge = async (prefers) => {
    if (isBusy || !queue[at]) return;
    isBusy = true;
    try {
      const answer = await fetch("/verdict", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ pair: queue[at].key, prefers }),
      });
      if (!answer.ok) throw new Error(`it answered ${answer.status}`);
      faulty("");
      at += 1;
      await show();
    } catch (error) {
      faulty(`The verdict was not kept (${error.message}); is smolville still running?`);
    } finally {
      isBusy = false;
    }
  };
  const undo = () => { if (!isBusy && at > 0) { at -= 1; show(); } };

  document.querySelectorAll("[data-prefers]").forEach((each) =>
    each.addEventListener("click", () => judge(each.dataset.prefers)));
  by("undo").addEventListener("click", undo);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    const key = event.key.toLowerCase();
    if (key === "u") undo();
    else if (keys[key]) { event.preventDefault(); judge(keys[key]); }
  });
  try {
    pairs = await (await fetch("/pairs.json")).json();
    queue = pairs.filter((each) => !each.judged);
    await show();
  } catch (error) {
    faulty(`The pairs cannot be read (${error.message}).`);
  }
})();
