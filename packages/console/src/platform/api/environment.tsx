import { createContext, useContext, type ReactNode } from 'react'
import { Overture } from '@overture/sdk'
import { pacedFetch } from './paced-fetch.ts'

export type Environment = 'live' | 'test'

interface Connection {
  environment: Environment
  api: Overture
}

const connect = (environment: Environment): Connection => ({
  environment,
  api: new Overture({ session: environment, baseUrl: location.origin, fetch: pacedFetch }),
})
const connections: Record<Environment, Connection> = { test: connect('test'), live: connect('live') }

const ConnectionContext = createContext<Connection>(connections.test)

/** All components below it call the API in this environment. */
export function ConnectionProvider({ environment, children }: { environment: Environment; children: ReactNode }) {
  return <ConnectionContext.Provider value={connections[environment]}>{children}</ConnectionContext.Provider>
}

export function useApi(): Overture {
  return useContext(ConnectionContext).api
}

export function useEnvironment(): Environment {
  return useContext(ConnectionContext).environment
}

/** The API for requests that belong to no environment, such as who is signed in. */
export const anyApi: Overture = connections.test.api
