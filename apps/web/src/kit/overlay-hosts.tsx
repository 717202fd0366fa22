import { lazy, Suspense } from 'react'
import { usePendingQuestion, useReason } from './ask.ts'

const Question = lazy(() => import('./question-dialogs.tsx').then((file) => ({ default: file.Question })))
const ReasonQuestion = lazy(() => import('./question-dialogs.tsx').then((file) => ({ default: file.ReasonQuestion })))

export function QuestionHost() {
  const { pendingQuestion: requested } = usePendingQuestion()
  return requested ? (
    <Suspense>
      <Question key={requested.thing} requested={requested} />
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
