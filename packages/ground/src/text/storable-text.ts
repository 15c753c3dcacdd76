// With the u flag, `Surrogate` matches only lone surrogates; a pair is one character.
const unstorable = /[\0\p{Surrogate}]/u

export const unstorableMessage = 'Contains a null character or half of a surrogate pair.'

/** Whether PostgreSQL can store the text. */
export function isStorable(text: string): boolean {
  return !unstorable.test(text)
}
