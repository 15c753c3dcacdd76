/** A pattern for SQL's `like` that finds the text anywhere, its own wildcards taken as letters. */
export function likeAnywhere(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
