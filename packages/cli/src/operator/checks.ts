export interface Check {
  name: string
  /** A `warning` should be checked, but nothing is broken. */
  status: 'ok' | 'warning' | 'broken'
  message: string
  /** The action that fixes it, or null if nothing has to be done. */
  fix: string | null
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, fix: null }
}

export function warning(name: string, message: string, fix: string): Check {
  return { name, status: 'warning', message, fix }
}

export function broken(name: string, message: string, fix: string): Check {
  return { name, status: 'broken', message, fix }
}
