import { operation, type UploadStatus, upload, uploadStates } from '@zhugong/contract/docking/codes'
import { type QueueState, queueStates } from '@zhugong/contract/docking/queue'
import type { ObjectType } from '@zhugong/contract/docking/standard'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { opName, statusTones } from './docking-words.ts'

interface Props {
  objectType: ObjectType
  sourceId: string | null | undefined
  /** Text shown if the record is not uploaded; without it nothing is rendered. */
  none?: string
}

/** Upload state of a record, with a link to its row in the queue. */
export function UploadState({ objectType, sourceId, none }: Props) {
  const may = useCan('docking.view')
  const { data } = useCall(queueStates, { query: { objectType, sourceId: sourceId ?? '' } }, { quiet: true, enabled: may && !!sourceId })
  const worst = [...(data?.list ?? [])].sort((a, b) => urgency(a.uploadStatus) - urgency(b.uploadStatus))[0]
  if (!worst || !data) return none ?? null
  const reported = wordsOf(worst)
  const several = data.list.length > 1 ? `（${data.list.length} 个平台）` : ''
  return (
    <Link
      to={hrefOf('/RegulatoryDocking', { tab: 'queue', record: worst.id })}
      title={data.list.map((one) => `${one.platformName}：${wordsOf(one)}，${one.receiptTime ?? one.queuedTime}`).join('\n')}
    >
      <Tag tone={statusTones[worst.uploadStatus]}>
        上级平台{several}：{reported}
      </Tag>
    </Link>
  )
}

/** States that need a person come first. */
const order: readonly UploadStatus[] = [
  upload.failed,
  upload.waiting,
  upload.sending,
  upload.taken,
  upload.asking,
  upload.locked,
  upload.stored,
]
const urgency = (status: UploadStatus) => order.indexOf(status)

function wordsOf({ op, uploadStatus, errorText, waitFor }: QueueState): string {
  const state = op === operation.remove ? `${opName(op)}${uploadStates[uploadStatus]}` : uploadStates[uploadStatus]
  const why = uploadStatus === upload.waiting ? waitFor : uploadStatus === upload.failed ? errorText : undefined
  return why ? `${state} · ${why}` : state
}
