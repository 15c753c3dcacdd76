/**
 * What may be written of an error: PostgreSQL repeats the value in what it says of one that it can't take (class 22), and
 * that may be somebody's address or words.
 */
export function plainMessage(error: Error): string {
  const code = (error as { code?: unknown }).code
  const namesValue = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  return namesValue ? `The database refused a value (${code}).` : error.message
}
