import { lazy, Suspense } from 'react'
import { useAsked, useReason } from './ask.ts'

const Question = lazy(() => import('./question-dialogs.tsx').then((file) => ({ default: file.Question })))
const ReasonQuestion = lazy(() => import('./question-dialogs.tsx').then((file) => ({ default: file.ReasonQuestion })))

export function QuestionHost() {
  const { asked } = useAsked()
  return asked ? (
    <Suspense>
      <Question key={asked.thing} asked={asked} />
    </Suspense>
  ) : null
}

export function ReasonHost() {
  const { reason } = useReason()
  return reason ? (
    <Suspense>
      <ReasonQuestion reason={reason} />
    </Suspense>
  ) : null
}
