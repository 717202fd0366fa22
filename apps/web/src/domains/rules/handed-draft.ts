import type { RuleDraft } from './rule-draft.ts'

type Handed = Pick<RuleDraft, 'levels' | 'execIds'>
let handed: { source: string; draft: Handed } | undefined

/** What somebody has typed about a rule on another page goes along when he opens the whole editor of it. */
export function handDraft(source: string, draft: Handed): void {
  handed = { source, draft }
}
/** Read while the editor opens; it forgets it once it stands. */
export const handedFor = (source: string | undefined): Handed | undefined => (handed?.source === source ? handed?.draft : undefined)
export function forgetHanded(): void {
  handed = undefined
}
