/**
 * The key of a tag's name. Names that differ only in case, or in how their accents are composed, have the same key. Tags are unique by
 * it and are listed in its order. JavaScript writes a sigma at the end of a word as another letter, so the key has only one of them.
 */
export function tagKey(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll('\u03c2', '\u03c3')
}
