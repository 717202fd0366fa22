import { getApproval } from '@zhugong/contract/workflow/endpoints'
import { refresh, useCall } from '#kit/call.ts'
import { DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { ApprovalCourse } from './approval-course.tsx'
import { ApprovalHandling } from './approval-handling.tsx'
import './workflow.css'

const everyMs = 15_000

interface ApprovalSideProps {
  itemId: string
  /** What the page has the approver choose for this kind of item. */
  choice?: Readonly<Record<string, string>>
  onDone: () => void
}

/** Handling of an approval item on the page of its business record: the user's actions and the steps. */
export function ApprovalSide({ itemId, choice, onDone }: ApprovalSideProps) {
  const { data, error, refetch } = useCall(getApproval, { params: { id: itemId } }, { quiet: true, everyMs })
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  // The surrounding page shows the business record, which the decision has changed.
  const done = () => {
    refresh()
    onDone()
  }
  return (
    <>
      <ApprovalHandling file={data} choice={choice} onNext={done} />
      <ApprovalCourse file={data} />
    </>
  )
}
