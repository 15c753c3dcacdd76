import {
  BarChart3,
  Ban,
  CalendarDays,
  Code2,
  FileText,
  Home,
  Inbox,
  List,
  ListChecks,
  Mails,
  Search,
  Send,
  Settings,
  ShieldCheck,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { Paths } from '../paths.ts'
import { text } from './shell.messages.ts'

export interface Destination {
  name: string
  to: string
  icon: LucideIcon
  /** The key after `g`. */
  key?: string
  /** The prefix of the paths of its pages. For Home it is the path itself. */
  below?: string
  /** The prefix of the paths of other pages that are opened from it. */
  also?: string
}

/** The destinations, in the order in which they are used in a day. */
export function listDestinations(paths: Paths): Destination[] {
  return [
    { name: text.home, to: paths.home, icon: Home, key: 'h' },
    { name: text.inbox, to: paths.inbox, icon: Inbox, key: 'i' },
    { name: text.campaigns, to: paths.campaigns, icon: Send, key: 'c' },
    { name: text.people, to: paths.people, icon: Users, key: 'p' },
    { name: text.lists, to: paths.lists, icon: List },
    { name: text.finder, to: paths.finder(), icon: Search, key: 'f', below: '/finder' },
    { name: text.senders, to: paths.senders, icon: Mails, key: 's' },
    { name: text.tasks, to: paths.tasks, icon: ListChecks, key: 't' },
    { name: text.deliverability, to: paths.domains, icon: ShieldCheck },
    { name: text.meetings, to: paths.meetings(), icon: CalendarDays, below: '/meetings' },
    { name: text.templates, to: paths.templates, icon: FileText },
    { name: text.analytics, to: paths.analytics, icon: BarChart3, key: 'a', also: '/reports' },
    { name: text.suppressions, to: paths.suppressions, icon: Ban },
    { name: text.developers, to: paths.developers(), icon: Code2, below: '/developers' },
    { name: text.settings, to: paths.settings(), icon: Settings, below: '/settings' },
  ]
}

export function isAt(path: string, { to, below, also }: Destination, home: string): boolean {
  if (to === home) return path === home || path === `${home}/`
  const roots = [below === undefined ? to : `${home}${below}`, ...(also === undefined ? [] : [`${home}${also}`])]
  return roots.some((root) => path === root || path.startsWith(`${root}/`))
}
