const written = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2}))?\s*(?:h|o'?clock|uhr)?\s*(am|pm)?$/i

/** A time of day as people write it (`9`, `17.30`, `5 pm`) in the form of a schedule. A text that is no time is returned as it is. */
export function clockTime(typed: string): string {
  const [, hour = '', minute = '00', half = ''] = written.exec(typed.trim().replaceAll('.m', 'm')) ?? []
  const hours = parseHour(Number(hour), half.toLowerCase())
  const isTime = hour !== '' && hours !== null && Number(minute) < 60 && (hours < 24 || minute === '00')
  return isTime ? `${String(hours).padStart(2, '0')}:${minute}` : typed
}

function parseHour(hour: number, half: string): number | null {
  if (half === '') return hour <= 24 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}
