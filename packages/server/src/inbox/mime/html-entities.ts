import { decodeHTML } from 'entities'

/** Entities of HTML as a reader sees the characters that they stand for; what is none stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#x?)?[\da-z]{1,32};?/gi, (entity) =>
    decodeHTML(entity).replace(unseen, '').replace('\u00a0', ' '),
  )
}

/** Joiners, and what stands for no character: zero, halves of one, numbers beyond the last. */
const unseen = /\u200c|\u200d|\ufffd/
