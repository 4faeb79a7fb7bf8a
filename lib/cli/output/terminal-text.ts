// Everything but line ends and tabs: an agent must not be able to move the cursor, or to set the title of a window.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A text without what a terminal would obey. */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(CONTROL, '\ufffd');
}
