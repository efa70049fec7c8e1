/** The script of the page of `millrace dev`: each new report takes the place of the last. */

export const devScript = `
const style = document.createElement('style');
style.textContent = \`
#dev-problem { position: fixed; inset: 0 0 auto 0; margin: 0; padding: .6em 1em; max-height: 40vh;
  overflow: auto; white-space: pre-wrap; font: 13px/1.4 ui-monospace, monospace; color: #fff;
  background: #a40000; z-index: 1; }
#dev-problem:empty { display: none; }
figure { overflow-x: auto; }
figure svg { width: calc(100% * var(--size, 1)); max-width: none; }
\`;
document.head.append(style);
const problem = document.createElement('pre');
problem.id = 'dev-problem';
problem.setAttribute('role', 'status');
document.body.append(problem);
let size = 1;
addEventListener('keydown', ({ key, ctrlKey, metaKey }) => {
  if (ctrlKey || metaKey) return;
  if (key === '+') size = Math.min(size * 1.5, 20);
  else if (key === '-') size = Math.max(size / 1.5, 1);
  else return;
  document.documentElement.style.setProperty('--size', size);
});
async function refresh() {
  const answer = await fetch('/report');
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const lefts = [...document.querySelectorAll('figure')].map((one) => one.scrollLeft);
  const open = new Set(
    [...document.querySelectorAll('details[open] > summary')].map((one) => one.textContent),
  );
  const { scrollX, scrollY } = window;
  document.title = next.title;
  for (const old of document.querySelectorAll('style[data-report]')) old.remove();
  for (const one of next.head.querySelectorAll('style')) {
    one.dataset.report = '';
    document.head.prepend(one);
  }
  document.body.replaceChildren(...next.body.childNodes, problem);
  document.querySelectorAll('figure').forEach((one, i) => { one.scrollLeft = lefts[i] ?? 0; });
  for (const one of document.querySelectorAll('details > summary'))
    if (open.has(one.textContent)) one.parentElement.open = true;
  scrollTo(scrollX, scrollY);
}
let shown;
new EventSource('/events').onmessage = async ({ data }) => {
  const state = JSON.parse(data);
  problem.textContent = state.problem ?? '';
  // The first event tells what is there; a run with a problem has no report of its own.
  if (shown === undefined || (shown !== state.run && state.problem === null)) await refresh();
  shown = state.run;
  document.documentElement.dataset.run = state.run;
};
`;
