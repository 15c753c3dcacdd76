import type { User } from '@overture/sdk'
import { useReading } from '../../platform/api/query.ts'

const namesMax = 100

/** The users of the account. Notes can mention them, and tasks can be assigned to them. */
export function useColleagues(): readonly User[] {
  const users = useReading<User[]>({
    key: ['users', 'names'],
    read: async (api) => (await api.users.list({ limit: namesMax }).page()).results,
  })
  return users.data ?? []
}

/** Users as the choices of a list, by name. */
export function userChoices(users: readonly User[]): { value: string; label: string }[] {
  return users.map(({ id, name, email }) => ({ value: id, label: name ?? email }))
}
