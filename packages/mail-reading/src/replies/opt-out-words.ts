import { sequence } from '@overture/ground/text/patterns.ts'
import { removals } from './removal-words.ts'

/** Words about another kind of list, about a postponed matter, or about another person's matter. */
const otherMatters = sequence(
  [
    /(?<!\p{L})/u,
    [
      /wait|waiting|webinar|down for|guest|short|attend|invit|book|price|meeting|thread|call|order/,
      /invoice|offer|quote|contract|wart|preis|punkt|position|zeile|angebot|herrn|frau|kolleg|ligne/,
      /devis|contrat|commande|pedido|presupuesto|partida|preventivo|contratto|punt|offerte|punkt/,
      /pozycj|ofert|pris|пункт|строк|until|before|vor|avant|antes|prima|voor|przed|före|før|bis|hasta/,
      /auf|einzutragen|aufnehmen|hinzu|inscrivez|add|ajoutez/,
    ],
    /(?!\p{L})/u,
  ],
  'iu',
)

const patterns = Object.values(removals).map(({ verbs, mine, lists, verbFirst = false }) => {
  const orders = [
    `(?:${verbs})\\p{L}{0,8}(?: \\p{L}{1,10})? (?:${mine})`,
    `(?:${verbs})\\p{L}{0,6}(?:-|t[ei])?(?:moi|nous|me|nos|mi|ci|nme)(?!\\p{L})`,
    ...(verbFirst ? [] : [`(?:${mine})\\p{L}{0,4}(?: \\p{L}{1,12}){1,6} (?:${verbs})`]),
  ]
  return {
    near: new RegExp(`(?<!\\p{L})(?:${orders.join('|')})`, 'iu'),
    list: new RegExp(`(?<!\\p{L})(?:${lists})\\p{L}{0,8}(?!\\p{L})`, 'iu'),
  }
})

/** Whether a short sentence asks to remove the writer's entry from a list, in any word order. */
export function asksForRemoval(sentence: string): boolean {
  if (sentence.length > 140 || otherMatters.test(sentence)) return false
  return patterns.some(({ near, list }) => near.test(sentence) && list.test(sentence))
}

/** Requests to be left alone. */
export const leaveAlone = sequence(
  [
    /(?<!\p{L})/u,
    [
      /leave (?:me|us) (?:alone|in peace)/,
      /(?:lassen|lass|lasst)(?: sie)? (?:mich|uns)[^.!?]{0,12} in (?:ruhe|frieden)/,
      /laissez[- ](?:moi|nous) (?:tranquille|en paix)|d[eé]je(?:n)?(?:me|nos) en paz/,
      /lasciat?e?(?:mi|ci) (?:in pace|stare)|laat (?:me|mij|ons) met rust/,
      /deixe(?:m)?[- ](?:me|nos) em paz|dajcie (?:mi|nam) (?:święty )?spokój|lämna (?:mig|oss) i fred/,
      /lad (?:mig|os) være|la (?:meg|oss) være|jättäkää (?:minut|meidät) rauhaan/,
      /nech(?:te|ejte)? (?:mě|mne|nás|ma) (?:být|na pokoji|na pokoj)|hagyjanak békén/,
      /lăsați-mă în pace|оставьте (?:меня|нас) в покое|отстаньте|залиште (?:мене|нас) у спокої/,
      /rahat bırakın|αφήστε με ήσυχ/,
    ],
    /(?!\p{L})/u,
  ],
  'iu',
)
