/** The script of the page of `millrace dev`: each new report takes the place of the last. */

export const devScript = `
const style = document.createElement('style');
style.textContent = \`
#dev-problem { position: fixed; inset: 0 0 auto 0; margin: 0; padding: .6em 1em; max-height: 40vh;
  overflow: auto; white-space: pre-wrap; font: 13px/1.4 ui-monospace, monospace; color: #fff;
  background: #a40000; z-index: 2; }
#dev-problem:empty { display: none; }
iframe { position: fixed; inset: 0; width: 100%; height: 100%; border: 0; }
iframe.next { z-index: -1; }
\`;
document.head.append(style);
const problem = document.createElement('pre');
problem.id = 'dev-problem';
problem.setAttribute('role', 'status');
document.body.append(problem);
let frame;
// The next report is made behind the last one, so that the page does not flash. It restores what
// the reader has chosen, which the reports keep for this tab.
function refresh() {
  const next = document.createElement('iframe');
  next.className = 'next';
  next.title = 'report of the last run';
  next.src = '/report';
  return new Promise((shown) => {
    next.addEventListener('load', () => {
      const hadFocus = document.activeElement === frame;
      frame?.remove();
      next.className = '';
      frame = next;
      document.title = next.contentDocument.title;
      if (hadFocus) next.focus();
      shown();
    }, { once: true });
    document.body.append(next);
  });
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
