import { Outlet } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { ConnectionProvider, useEnvironment, type Environment } from '../platform/api/environment.tsx'
import { listenToKeys, useKeys, type KeyBinding } from '../platform/keys/keys.ts'
import { usePathParams } from '../platform/session/path-params.ts'
import { applyKeptKeys, applyPreferences } from '../platform/session/preferences.ts'
import { useStream, type StreamState } from '../platform/stream/use-stream.ts'
import { Shown, Toasts, undoLast, useGo } from '../platform/ui/index.ts'
import { usePaths } from '../paths.ts'
import { ClockBar, type ClockState } from '../sandbox/index.ts'
import { apartMs, staleBy } from '../subscriptions.ts'
import { PermissionsPanel, SignInAgain, useMe, useSignInState } from '../users/index.ts'
import { listDestinations } from './destinations.ts'
import { useEarlyLetters } from './early-letters.ts'
import { BottomNavigation, SideNavigation } from './navigation.panel.tsx'
import { text } from './shell.messages.ts'
import styles from './shell.module.css'
import { TenantTimePanel } from './tenant-time.panel.tsx'

const KeyList = lazy(() => import('./keys.panel.tsx').then(({ KeyList: Lazy }) => ({ default: Lazy })))
const Palette = lazy(() => import('./palette.panel.tsx').then(({ Palette: Lazy }) => ({ default: Lazy })))

/** The frame of a page for a signed-in user. */
export function Shell() {
  const { environment } = usePathParams('/app/$environment')
  const state = useSignInState()
  const go = useGo()
  const away = state.data === undefined ? null : state.data.signedIn ? null : '/app/sign-in'
  useEffect(() => {
    if (away !== null) go(`${away}?to=${encodeURIComponent(location.pathname + location.search)}`, { replace: true })
  }, [away])
  if (away !== null) return null
  return (
    <Shown of={state}>
      {() => (
        <ConnectionProvider environment={environment === 'live' ? 'live' : ('test' satisfies Environment)}>
          <Live />
        </ConnectionProvider>
      )}
    </Shown>
  )
}

/** Nothing is read before the stream has begun, so that later changes are reported by events. */
function Live() {
  const { connected, begun } = useLive()
  if (!begun) return null
  return (
    <TenantTimePanel>
      <PermissionsPanel>
        <Frame connected={connected} />
      </PermissionsPanel>
    </TenantTimePanel>
  )
}

function Frame({ connected }: { connected: boolean }) {
  const environment = useEnvironment()
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  useFrameKeys(setOpen)
  useMyPreferences()
  const early = useEarlyLetters(open === 'palette')
  const openPalette = (): void => setOpen('palette')
  return (
    <div className={`${styles['shell']} ${environment === 'test' ? styles['test'] : ''}`}>
      <a href="#main" className={styles['skip']} onClick={skip}>
        {text.skip}
      </a>
      <div className={styles['top']}>{environment === 'test' && <ClockBar />}</div>
      <SideNavigation openPalette={openPalette} />
      <main id="main" className={styles['main']} tabIndex={-1}>
        <Outlet />
      </main>
      <BottomNavigation openPalette={openPalette} />
      <div role="status">{!connected && <span className={styles['connection']}>{text.reconnecting}</span>}</div>
      <Suspense fallback={null}>
        {open === 'palette' && <Palette open close={() => setOpen(null)} early={early.take} />}
        {open === 'keys' && <KeyList open close={() => setOpen(null)} />}
      </Suspense>
      <SignInAgain />
      <Toasts />
    </div>
  )
}

const skip = (event: { preventDefault(): void }): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>('#main')?.focus()
}

function useLive(): StreamState {
  const client = useQueryClient()
  const environment = useEnvironment()
  const clock = useCallback(
    (data: string) => {
      client.setQueryData([environment, 'clock'], JSON.parse(data) as ClockState)
    },
    [client, environment],
  )
  return useStream({ staleBy, apartMs, clock })
}

function useFrameKeys(setOpen: (open: 'palette' | 'keys') => void): void {
  const paths = usePaths()
  const go = useGo()
  const places = listDestinations(paths).flatMap(({ name, to, key }): KeyBinding[] =>
    key === undefined ? [] : [{ keys: `g ${key}`, label: name, act: () => go(to) }],
  )
  useKeys([
    { keys: '?', label: text.showKeys, act: () => setOpen('keys') },
    { keys: '/', label: text.focusSearch, act: focusFilter },
    { keys: 'z', label: text.undo, act: undoLast },
    ...places,
  ])
  useEffect(listenToKeys, [])
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      setOpen('palette')
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [setOpen])
}

function focusFilter(): void {
  document.querySelector<HTMLElement>('main search input')?.focus()
}

function useMyPreferences(): void {
  const { data } = useMe()
  useEffect(() => {
    if (data === undefined) applyKeptKeys()
    else applyPreferences(data.preferences)
  }, [data])
}
