import type { PageLanguage } from '@overture/ground/text/page-language.ts'
import { en } from './words/en.ts'
import { de } from './words/de.ts'
import { fr } from './words/fr.ts'
import { es } from './words/es.ts'
import { it } from './words/it.ts'
import { pt } from './words/pt.ts'
import { nl } from './words/nl.ts'
import { pl } from './words/pl.ts'
import { sv } from './words/sv.ts'
import { da } from './words/da.ts'
import type { OptOutWords } from './words/words.ts'

/** The words of the opt-out page. The system reads a reply with the word "unsubscribe", so each language has it in English. */
export const optOutWords: Record<PageLanguage, OptOutWords> = { en, de, fr, es, it, pt, nl, pl, sv, da }
