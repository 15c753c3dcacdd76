import type { WatchedPage } from './watched-page.ts'

/** The controls that are used on one page at most. Controls with the same name count once. */
const controlsMax = 60

/**
 * Uses each enabled control of a page once, outside the navigation: buttons, check boxes, menus, the forms that they open, and lists that
 * act at once. Returns the names of the used controls. The page is reopened when a control leaves it.
 */
export async function useEverything(page: WatchedPage, path: string): Promise<string[]> {
  return page.evaluate<string[]>(`(${script})(${JSON.stringify(path)}, ${controlsMax})`)
}

/** Runs in the browser, since a call from the test for each control would take minutes. */
const script = `async (path, controlsMax) => {
  const used = (globalThis.usedControls ??= new Set())
  const names = []
  const frame = () => new Promise((resolve) => setTimeout(resolve, 0))
  const drawn = async () => { for (let turn = 0; turn < 4; turn++) await frame() }
  const layer = () => [...document.querySelectorAll('[role=dialog],[role=alertdialog],[role=menu]')].at(-1) ?? document.body
  const nameOf = (one) => (one.getAttribute('aria-label') ?? one.innerText ?? one.name ?? '').replace(/\\S+@\\S+|\\d+/g, '').trim()
  const idOf = (one) => [one.closest('main') || layer() !== document.body ? location.pathname : '', one.tagName, nameOf(one)].join(' ')
  const usable = (one) =>
    !one.closest('nav, search, [inert], [aria-hidden=true]') && !one.disabled && one.ariaDisabled !== 'true' &&
    one.getClientRects().length > 0 && !used.has(idOf(one))
  const all = 'button, [role=menuitem], input[type=checkbox], select'
  const act = (one) => {
    if (one.tagName !== 'SELECT') return one.click()
    const other = [...one.options].findLast(({ value }) => value !== one.value)
    if (other === undefined) return
    one.value = other.value
    one.dispatchEvent(new Event('change', { bubbles: true }))
  }
  // A dialog that was just opened takes Escape only once it has the focus.
  const leave = async (within) => {
    for (let turn = 0; turn < 100 && layer() === within; turn++) {
      const focused = within.contains(document.activeElement) ? document.activeElement : within
      focused.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      await drawn()
    }
    if (layer() === within) within.querySelector('button')?.click()
    await drawn()
  }
  for (let count = 0; count < controlsMax; count++) {
    const within = layer()
    const controls = [...within.querySelectorAll(all)].filter(usable)
    // A dialog has its close button at the top. The actions for selected rows are above the rows.
    const next = within === document.body ? controls[0] : controls.at(-1)
    if (next === undefined && within === document.body) break
    if (next === undefined) {
      await leave(within)
      if (layer() === within) break
      continue
    }
    used.add(idOf(next))
    names.push(nameOf(next))
    act(next)
    await drawn()
    if (location.pathname !== path) {
      history.pushState({}, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
      await drawn()
    }
  }
  return names
}`
