export type Encoding = 'br' | 'gzip' | 'identity'

/** The smallest available encoding that the client accepts. */
export function encodingFor(accepted: string | undefined, available: readonly Encoding[]): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .split(',')
      .map((one) => one.trim().split(/\s*;\s*/))
      .filter(([, quality]) => quality === undefined || !/^q=0(?:\.0+)?$/.test(quality))
      .map(([name]) => name),
  )
  const order: readonly Encoding[] = ['br', 'gzip']
  return order.find((encoding) => taken.has(encoding) && available.includes(encoding)) ?? 'identity'
}
