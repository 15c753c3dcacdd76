import { leadFinderEndpoints } from '@overture/contract/lead-finder/lead-finder.ts'
import { phased, query, type Route } from '../platform/http/route.ts'
import { notConfigured, type LeadFinder } from './finder.shell.ts'
import { reveal } from './reveal.shell.ts'
import { searchCompanies, searchPeople, setCreditHeaders } from './search.shell.ts'

const suggestionsMax = 20

export function leadFinderRoutes(finder: LeadFinder): Route[] {
  return [
    phased(leadFinderEndpoints.searchPeople, (context, input, answer) =>
      searchPeople(finder, context, input.body, answer),
    ),
    phased(leadFinderEndpoints.searchCompanies, (context, input, answer) =>
      searchCompanies(finder, context, input.body, answer),
    ),
    phased(leadFinderEndpoints.revealField, (context, input, answer) =>
      reveal(finder, context.tenant, { ...input.body, now: context.now }, (run) =>
        answer(async (tx) => {
          const { revealed, balance } = await run(tx)
          setCreditHeaders(context, { charged: revealed.creditsCharged, balance })
          return revealed
        }),
      ),
    ),
    query(leadFinderEndpoints.suggestFilterValues, async (context, input) => {
      const source = await finder.source(context.tenant)
      // Providers have no such lists; they accept free text.
      if (source.kind === 'remote') return { results: [] }
      if (source.kind === 'none') throw notConfigured()
      const question = { field: input.query.field, query: input.query.q, limit: suggestionsMax }
      return { results: await finder.index.suggest(source.dataset, source.state, question) }
    }),
  ]
}
