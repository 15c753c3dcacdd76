/**
 * The part of an error that may be logged. PostgreSQL repeats the refused value in errors of class 22, and the value may be a
 * person's address or words.
 */
export function plainMessage(error: Error): string {
  const code = (error as { code?: unknown }).code
  const namesValue = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code)
  return namesValue ? `The database refused a value (${code}).` : error.message
}
