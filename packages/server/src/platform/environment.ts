export type Environment = Readonly<Record<string, string | undefined>>

export type Reader = ReturnType<typeof createReader>

/** Reads variables of the environment; what is wrong with any gathers in `problems`, and null is read for it. */
export function createReader(environment: Environment) {
  const problems: string[] = []
  const text = (name: string): string | null => {
    const value = environment[name]?.trim()
    return value === undefined || value === '' ? null : value
  }
  return {
    problems,
    text,
    list: (name: string): string[] =>
      (text(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    integer(name: string, bounds: { min: number; max: number }): number | null {
      const value = text(name)
      if (value === null) return null
      const number = Number(value)
      if (/^\d+$/.test(value) && number >= bounds.min && number <= bounds.max) return number
      problems.push(`${name}: a whole number from ${bounds.min} to ${bounds.max}, not "${value}".`)
      return null
    },
    choice<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | null {
      const value = text(name)
      const found = choices.find((choice) => choice === value)
      if (value !== null && found === undefined) problems.push(`${name}: one of ${choices.join(', ')}, not "${value}".`)
      return found ?? null
    },
    flag(name: string): boolean {
      const value = text(name)?.toLowerCase() ?? '0'
      if (['1', 'true', 'on', 'yes'].includes(value)) return true
      if (!['0', 'false', 'off', 'no'].includes(value)) problems.push(`${name}: 1 or 0, not "${value}".`)
      return false
    },
    // The value itself stays out of the message: a URL may carry a password.
    url(name: string, protocols: readonly string[]): string | null {
      const value = text(name)
      if (value === null) return null
      if (protocols.includes(value.slice(0, value.indexOf(':') + 1)) && URL.canParse(value)) return value
      problems.push(`${name}: a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`)
      return null
    },
  }
}
