/** Joins class names and leaves out those that don't apply. */
export function classes(...names: readonly (string | undefined | false)[]): string {
  return names.filter(Boolean).join(' ')
}
