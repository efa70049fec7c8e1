/** The style sheet of the report, for light and dark screens and for print. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #667085; --line: #d8dde6; --paper:
#ffffff;
--panel: #f5f7fa; --buy: #0b7a5c; --sell: #b4372f; --profit: #2457c5; --warn: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #98a2b3; --line: #333b48;
--paper: #12161d; --panel: #1a2029; --buy: #41c79c; --sell: #f0776d; --profit: #7ea6ff; --warn:
#e0b050; } }
body { margin: 0 auto; max-width: 1080px; padding: 24px 16px 48px; background: var(--paper);
color: var(--ink);
font: 14px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 24px; } header p, footer p, small { color: var(--soft); }
code, td, .card span, .tick { font-variant-numeric: tabular-nums; }
.cautions { margin: 16px 0; padding: 10px 14px 10px 30px; border-left: 3px solid var(--warn);
background: var(--panel); color: var(--warn); }
.coarse { margin: 16px 0; padding: 10px 14px; border-left: 3px solid var(--sell); background:
var(--panel); }
.coarse h2 { margin: 0; font-size: 16px; } .coarse p, .coarse ul { margin: 6px 0 0; }
.cards { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0; }
.card { flex: 1 1 160px; padding: 10px 14px; border: 1px solid var(--line); border-radius: 8px;
background: var(--panel); }
.card b { display: block; font-weight: 500; color: var(--soft); } .card span { font-size: 17px;
overflow-wrap: anywhere; }
.good span { color: var(--buy); } .bad span { color: var(--sell); }
figure { margin: 24px 0; } figcaption { font-weight: 600; } svg { display: block; width: 100%;
height: auto; margin-top: 6px; }
.grid { stroke: var(--line); stroke-width: 1; } .tick { fill: var(--soft); font-size: 11px; }
.tick.y { text-anchor: end; dominant-baseline: middle; }
.line { fill: none; stroke-width: 1.2; } .key { margin-left: 12px; font-weight: 400; font-size:
12px; }
.key::before { content: ""; display: inline-block; width: 14px; height: 3px; margin-right: 5px;
vertical-align: middle; background: currentColor; }
.bid, .ask { stroke: var(--soft); color: var(--soft); } .own-bid { stroke: var(--buy); color:
var(--buy); }
.own-ask { stroke: var(--sell); color: var(--sell); } .profit { stroke: var(--profit); color:
var(--profit); }
.drawdown { stroke: var(--sell); color: var(--sell); } .line.drawdown { fill: var(--sell);
fill-opacity: .18; }
.position { stroke: var(--profit); color: var(--profit); } .line.position { fill: var(--profit);
fill-opacity: .18; }
.bought { fill: var(--buy); } .sold { fill: var(--sell); }
.tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 20px;
align-items: start; }
table { width: 100%; border-collapse: collapse; } caption { text-align: left; font-weight: 600;
padding-bottom: 4px; }
th { font-weight: 400; text-align: left; color: var(--soft); } td { text-align: right;
overflow-wrap: anywhere; }
th, td { padding: 4px 6px; border-top: 1px solid var(--line); vertical-align: top; }
details { margin-top: 28px; } pre { overflow-x: auto; padding: 12px; background: var(--panel);
font-size: 12px; }
@media (max-width: 520px) { .tables { grid-template-columns: 1fr; } }
@media print { body { max-width: none; } details { display: none; } }
`;
