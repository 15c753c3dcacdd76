/** Draws the demo in a terminal. Pure: text in, text out. */

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

/** Returns a function that colors text, or leaves it plain if the output is not a terminal. */
export function painter(colored: boolean): Paint {
  return (color, text) => (colored ? `\u001b[${codes[color]}m${text}\u001b[0m` : text)
}

/** Narrow terminals have 80 columns. */
const widthMax = 79
const barWidthMax = 10

type Color = Parameters<Paint>[0]
const columns: readonly { name: string; of: keyof Omit<DemoDay, 'date'>; color: Color }[] = [
  { name: 'sent', of: 'sent', color: 'bold' },
  { name: 'opened', of: 'opened', color: 'dim' },
  { name: 'replied', of: 'replied', color: 'green' },
  { name: 'interested', of: 'interested', color: 'green' },
  { name: 'auto', of: 'autoReplied', color: 'dim' },
  { name: 'bounced', of: 'bounced', color: 'red' },
  { name: 'out', of: 'unsubscribed', color: 'yellow' },
  { name: 'booked', of: 'meetingsBooked', color: 'cyan' },
]

/** One line per day: a bar of the messages sent, and their results. */
export function drawDays(days: readonly DemoDay[], paint: Paint): string[] {
  const most = Math.max(1, ...days.map((day) => day.sent))
  const head = columns.map(({ name }) => ` ${name}`).join('')
  return [
    paint('dim', `${' '.repeat(13 + barWidthMax)}${head}`),
    ...days.map((day) => {
      const length = day.sent === 0 ? 0 : Math.max(1, Math.round((day.sent / most) * barWidthMax))
      const bar = paint('cyan', '█'.repeat(length)) + ' '.repeat(barWidthMax - length)
      return `  ${weekday(day.date)} ${day.date.slice(5)}  ${bar}${columns.map((column) => cell(day, column, paint)).join('')}`
    }),
  ]
}

function cell(day: DemoDay, { name, of, color }: (typeof columns)[number], paint: Paint): string {
  const text = (day[of] === 0 ? '·' : String(day[of])).padStart(name.length + 1)
  return paint(day[of] === 0 ? 'dim' : color, text)
}

const gateWidth = 22

/** One line per gate, open or closed, with its numbers. */
export function drawGates(gates: readonly DemoGate[], paint: Paint): string[] {
  return gates.flatMap(({ gate, passed, detail, until }) => {
    const mark = passed ? paint('green', '✓') : paint('red', '✗')
    const opens = until === null ? '' : ` Until ${until.slice(0, 16).replace('T', ' ')} UTC.`
    const [first = '', ...rest] = wrap(detail + opens, widthMax - gateWidth - 5)
    return [
      `  ${mark} ${gate.padEnd(gateWidth)} ${first}`,
      ...rest.map((line) => `${' '.repeat(gateWidth + 5)}${line}`),
    ]
  })
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Two columns of names and numbers. */
export function drawNumbers(numbers: readonly (readonly [string, string])[], paint: Paint): string[] {
  const width = Math.max(...numbers.map(([name]) => name.length))
  return numbers.map(([name, value]) => `  ${name.padEnd(width)}  ${paint('bold', value)}`)
}

function weekday(date: string): string {
  return new Date(`${date}T12:00:00Z`).toUTCString().slice(0, 3)
}
