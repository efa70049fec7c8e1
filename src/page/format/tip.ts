/** The attributes of an element that explains itself on hover and focus; see `TipLayer`. */
export function tipOf(text: string): { readonly 'data-tip': string; readonly tabIndex: 0 } {
  return { 'data-tip': text, tabIndex: 0 };
}
