import { decodeHTML } from 'entities'

/** Decodes HTML entities to the characters that a reader sees. Everything else stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x?)?[\da-z]{1,32};?/gi, (entity) =>
    decodeHTML(entity).replace(unseen, '').replace('\u00a0', ' '),
  )
}

/** Joiners, and entities that stand for no character: zero, surrogates, numbers beyond the last character. */
const unseen = /\u200c|\u200d|\ufffd/
