/**
 * The entry of the script: it shows the page that the document asks for.
 *
 * The document has `<div id="root">` and `<script type="application/json" id="page">` with an object
 * whose `page` names one of {@link pages}; the page gets the whole object.
 */
import { render } from 'preact';
import { startTheme } from './browser/theme.ts';
import { pages } from './pages.tsx';

const root = document.getElementById('root');
const block = document.getElementById('page');
if (root === null || block === null)
  throw new Error('the document needs elements with the ids root and page');

startTheme();
const content: { readonly page: string } = JSON.parse(block.textContent);
const Page = pages[content.page];
if (Page === undefined) throw new Error(`there is no page "${content.page}"`);
render(<Page content={content as never} />, root);
