/** A pattern for SQL's `like` that finds the text anywhere. Wildcards in the text are escaped. */
export function likeAnywhere(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
