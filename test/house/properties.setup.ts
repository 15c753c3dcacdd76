import fc from 'fast-check'

/**
 * Properties are tried with the same inputs each time, so that what passed passes again. `PROPERTIES_SEED=random` looks
 * further, and a number tries again what such a run found.
 */
const given = process.env['PROPERTIES_SEED']
if (given !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given ?? 1) })
