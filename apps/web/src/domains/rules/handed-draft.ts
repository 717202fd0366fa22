import type { RuleDraft } from './rule-draft.ts'

type Handed = Pick<RuleDraft, 'levels' | 'execIds'>
let handed: { source: string; draft: Handed } | undefined

/** Passes values typed on another page to the full rule editor. */
export function handDraft(source: string, draft: Handed): void {
  handed = { source, draft }
}
/** Reads the passed values; the editor clears them after opening. */
export const handedFor = (source: string | undefined): Handed | undefined => (handed?.source === source ? handed?.draft : undefined)
export function forgetHanded(): void {
  handed = undefined
}
