export interface Check {
  name: string
  /** `warning` is worth a look and breaks nothing. */
  status: 'ok' | 'warning' | 'broken'
  message: string
  /** What to do about it; null where nothing is to be done. */
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
