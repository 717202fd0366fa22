import type { applyExpert } from '@zhugong/contract/experts/apply'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'

export type Answer = OutputFor<typeof applyExpert>
type Options = NonNullable<Answer['options']>

/** What is known after the phone was proved. */
export interface Session {
  ticket: string
  options: Options
  draft: NonNullable<Answer['draft']>
  application: NonNullable<Answer['application']> | null
}
export interface StepProps {
  session: Session
  onSaved: (answer: Answer) => void
  onBack: () => void
}
