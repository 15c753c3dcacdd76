import { useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon } from 'lucide-react'
import { useState } from 'react'
import { useUnread } from '../inbox/index.ts'
import { usePaths } from '../paths.ts'
import { Dialog, Link } from '../platform/ui/index.ts'
import { tasksText, useDueTasks } from '../tasks/index.ts'
import { numberText } from '../platform/time/format.ts'
import { useMe, useSignOut } from '../users/index.ts'
import { listDestinations, isAt, type Destination } from './destinations.ts'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { text } from './shell.messages.ts'
import styles from './shell.module.css'

export function SideNavigation({ openPalette }: { openPalette: () => void }) {
  const paths = usePaths()
  const me = useMe()
  const signOut = useSignOut()
  return (
    <header className={styles['side']}>
      <Link to={paths.home} className={styles['brand']}>
        <img src="/app/icon.svg" alt="" />
        {text.product}
      </Link>
      <EnvironmentSwitch />
      <button type="button" className={styles['search']} onClick={openPalette}>
        {text.searchButton}
        <kbd>{commandKey}</kbd>
      </button>
      <DestinationList />
      {me.data !== undefined && (
        <div className={styles['foot']}>
          <span>{me.data.name}</span>
          <span>{me.data.email}</span>
          <button type="button" className={styles['footButton']} onClick={() => signOut.mutate()}>
            {text.signOut}
          </button>
        </div>
      )}
    </header>
  )
}

const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

export function DestinationList({ close }: { close?: () => void }) {
  const destinations = listDestinations(usePaths())
  return (
    <nav className={styles['nav']} aria-label={text.navigation}>
      {destinations.map((one) => (
        <DestinationLink key={one.to} destination={one} {...(close && { close })} />
      ))}
    </nav>
  )
}

function DestinationLink({ destination, close }: { destination: Destination; close?: () => void }) {
  const path = useRouterState({ select: (state) => state.location.pathname })
  const { home, inbox, tasks } = usePaths()
  const Icon = destination.icon
  return (
    <Link to={destination.to} onClick={close} aria-current={isAt(path, destination, home) ? 'page' : undefined}>
      <Icon aria-hidden />
      {destination.name}
      {destination.to === inbox && <Unread />}
      {destination.to === tasks && <DueTasks />}
    </Link>
  )
}

function Unread() {
  return <Count of={useUnread()} label={text.unread} />
}

function DueTasks() {
  return <Count of={useDueTasks()} label={tasksText.dueCount} />
}

function Count({ of, label }: { of: number; label: (count: string) => string }) {
  if (of === 0) return null
  return (
    <span className={styles['count']} aria-label={label(numberText(of))} role="img">
      {numberText(of)}
    </span>
  )
}

/** The navigation on a phone: four destinations and the rest. */
export function BottomNavigation({ openPalette }: { openPalette: () => void }) {
  const [open, setOpen] = useState(false)
  const destinations = listDestinations(usePaths()).slice(0, 4)
  const signOut = useSignOut()
  return (
    <nav className={styles['bottom']} aria-label={text.navigation}>
      {destinations.map((one) => (
        <DestinationLink key={one.to} destination={one} />
      ))}
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MenuIcon aria-hidden />
        {text.more}
      </button>
      <Dialog title={text.more} open={open} close={() => setOpen(false)}>
        <div className={styles['sheet']}>
          <EnvironmentSwitch />
          <button
            type="button"
            className={styles['search']}
            onClick={() => {
              setOpen(false)
              openPalette()
            }}
          >
            {text.search}
          </button>
          <DestinationList close={() => setOpen(false)} />
          <button type="button" className={styles['footButton']} onClick={() => signOut.mutate()}>
            {text.signOut}
          </button>
        </div>
      </Dialog>
    </nav>
  )
}
