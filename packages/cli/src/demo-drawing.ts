/** How the demo looks in a terminal. Pure: text in, text out. */

export interface DemoDay {
  date: string
  sent: number
  replied: number
  interested: number
  autoReplied: number
  bounced: number
  unsubscribed: number
  meetingsBooked: number
  opened: number
}

export interface DemoGate {
  gate: string
  passed: boolean
  detail: string
  until: string | null
}

export interface Paint {
  (color: 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold', text: string): string
}

const codes = { green: 32, red: 31, yellow: 33, cyan: 36, dim: 2, bold: 1 } as const

/** Colours, or none where the output is no terminal. */
export function painter(colored: boolean): Paint {
  return (color, text) => (colored ? `\u001b[${codes[color]}m${text}\u001b[0m` : text)
}

const barWidthMax = 36

/** One line a day: a bar of what was sent, and what came of it. */
export function drawDays(days: readonly DemoDay[], paint: Paint): string[] {
  const most = Math.max(1, ...days.map((day) => day.sent))
  return days.map((day) => {
    const width = Math.round((day.sent / most) * barWidthMax)
    const bar = '█'.repeat(day.sent > 0 ? Math.max(1, width) : 0)
    const parts = [
      part(day.opened, 'opened', 'dim', paint),
      part(day.replied, 'replied', 'green', paint),
      part(day.interested, 'interested', 'green', paint),
      part(day.autoReplied, 'away', 'dim', paint),
      part(day.bounced, 'bounced', 'red', paint),
      part(day.unsubscribed, 'opted out', 'yellow', paint),
      part(day.meetingsBooked, 'booked', 'cyan', paint),
    ].filter((text) => text !== '')
    const sent = String(day.sent).padStart(4)
    return `  ${weekday(day.date)} ${day.date}  ${paint('cyan', bar)}${' '.repeat(barWidthMax - bar.length)} ${sent}  ${parts.join('  ')}`.trimEnd()
  })
}

/** Every gate, open or closed, with its numbers. */
export function drawGates(gates: readonly DemoGate[], paint: Paint): string[] {
  return gates.map(({ gate, passed, detail, until }) => {
    const mark = passed ? paint('green', '✓') : paint('red', '✗')
    const opens = until === null ? '' : paint('dim', ` (until ${until})`)
    return `  ${mark} ${gate.padEnd(22)} ${detail}${opens}`
  })
}

/** Two columns of names and numbers. */
export function drawNumbers(numbers: readonly (readonly [string, string])[], paint: Paint): string[] {
  const width = Math.max(...numbers.map(([name]) => name.length))
  return numbers.map(([name, value]) => `  ${name.padEnd(width)}  ${paint('bold', value)}`)
}

function part(count: number, name: string, color: 'green' | 'red' | 'yellow' | 'cyan' | 'dim', paint: Paint): string {
  return count === 0 ? '' : paint(color, `${count} ${name}`)
}

function weekday(date: string): string {
  return new Date(`${date}T12:00:00Z`).toUTCString().slice(0, 3)
}
