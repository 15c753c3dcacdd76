import { createHash } from 'node:crypto'

/** Switches to the zone of the browser if none was chosen. */
export const zoneScript =
  'const zone = Intl.DateTimeFormat().resolvedOptions().timeZone, url = new URL(location.href);' +
  "if (zone && !url.searchParams.has('timezone')) { url.searchParams.set('timezone', zone); location.replace(url) }"

export const styles = `:root {
  color-scheme: light dark; --ink: #16181d; --paper: #fff; --soft: #4b5563; --line: #767d8a; --hair: #dfe3ea;
  --accent: #1d4ed8; --on-accent: #fff; --tint: #eef3ff; --bad: #b91c1c;
}
@media (prefers-color-scheme:dark) {
  :root {
    --ink: #e8eaf0; --paper: #121318; --soft: #aab1bf; --line: #858d9c; --hair: #2c303a; --accent: #9dbcff;
    --on-accent: #0b1020; --tint: #1b2440; --bad: #fca5a5;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui,sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere }
h2 { font-size: 1.1rem; margin: 2rem 0 .75rem }
.soft { color: var(--soft); margin: .25rem 0 }
details { border: 1px solid var(--hair); border-radius: .75rem; margin: 0 0 .75rem }
summary {
  display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 0 .75rem;
  min-height: 3rem; padding: .5rem 1rem; font-weight: 600; cursor: pointer; border-radius: .75rem;
}
summary::-webkit-details-marker { display: none }
summary::before {
  content: ''; width: .5rem; height: .5rem; border: solid currentColor; border-width: 0 2px 2px 0;
  transform: rotate(-45deg);
}
details[open]>summary::before { transform: rotate(45deg) }
summary b { flex: 1; font-weight: 600 }
summary span { font-weight: 400; color: var(--soft) }
fieldset { border: 0; margin: 0; padding: .25rem 1rem 1rem; min-width: 0 }
legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
.slots { display: grid; grid-template-columns: repeat(auto-fill,minmax(6.25rem,1fr)); gap: .5rem }
.slots label {
  display: flex; align-items: center; gap: .5rem; min-height: 2.75rem; padding: .25rem .6rem;
  border: 1px solid var(--line); border-radius: .5rem; cursor: pointer; font-variant-numeric: tabular-nums;
}
.slots label:hover { background: var(--tint) }
.slots label:has(:checked) {
  border-color: var(--accent); background: var(--tint); box-shadow: inset 0 0 0 1px var(--accent); font-weight: 600;
}
input[type=radio] { accent-color: var(--accent); width: 1.1rem; height: 1.1rem; margin: 0; flex: none }
label.field { display: block; margin: .75rem 0 }
input[type=text],input[type=email],select {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .75rem; font: inherit;
  color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .5rem;
}
button,a.button {
  display: inline-flex; align-items: center; min-height: 2.75rem; padding: 0 1.25rem; font: inherit;
  font-weight: 600; border: 1px solid transparent; border-radius: .5rem; background: var(--accent);
  color: var(--on-accent); cursor: pointer; text-decoration: none;
}
button.quiet,a.quiet { background: none; color: inherit; border-color: var(--line) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
a { color: var(--accent) }
.error {
  border-left: 4px solid var(--bad); background: var(--tint); padding: .75rem 1rem; margin: 1.25rem 0;
  border-radius: 0 .5rem .5rem 0;
}
.row { display: flex; gap: .5rem; align-items: end; flex-wrap: wrap; margin: 1.25rem 0 }
.row label { flex: 1 1 14rem; min-width: 0 }
.card { border: 1px solid var(--hair); border-radius: .75rem; padding: 1rem 1.25rem; margin: 1.25rem 0 }
.card p { margin: .25rem 0 }`

/** Allows no content from other servers, and only the script that detects the zone. */
export const bookingPolicy = [
  "default-src 'none'",
  `style-src ${digest(styles)}`,
  `script-src ${digest(zoneScript)}`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
