import { listApprovals } from '@zhugong/contract/home/endpoints'
import { type ApprovalRow, actOnApproval } from '@zhugong/contract/workflow/endpoints'
import { Input } from 'antd'
import { useState } from 'react'
import { call, queryClient } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'

/** Approves several items of one kind after showing them. Items that another user has decided meanwhile are listed as not done. */
export function BatchPass({ rows, onClose }: { rows: readonly ApprovalRow[]; onClose: (done: boolean) => void }) {
  const [opinion, setOpinion] = useState('')
  const [running, setRunning] = useState(false)
  const [failed, setFailed] = useState<readonly { row: ApprovalRow; why: string }[]>([])
  const kinds = new Set(rows.map((row) => row.bizTypeName))
  const mixed = kinds.size > 1
  const send = async () => {
    setRunning(true)
    const missed: { row: ApprovalRow; why: string }[] = []
    for (const row of rows)
      await call(actOnApproval, { params: { id: row.id }, body: { result: 'pass', opinion, version: row.version } }).catch((error: Error) =>
        missed.push({ row, why: error.message }),
      )
    setRunning(false)
    void queryClient.invalidateQueries({ queryKey: [listApprovals.method, listApprovals.path] })
    if (missed.length < rows.length) notify.success(`已同意 ${rows.length - missed.length} 件`)
    if (missed.length === 0) onClose(true)
    else setFailed(missed)
  }
  return (
    <PageModal
      open
      title={`同意 ${rows.length} 件${mixed ? '' : [...kinds][0]}`}
      okText={failed.length > 0 ? '知道了' : `同意 ${rows.length} 件`}
      okButtonProps={{ disabled: mixed, loading: running }}
      cancelButtonProps={{ disabled: failed.length > 0 }}
      onOk={() => (failed.length > 0 ? onClose(true) : void send())}
      onCancel={() => onClose(failed.length > 0)}
    >
      {mixed && <Notice tone="warning">一次只能同意同一种业务，现选了 {[...kinds].join('、')}</Notice>}
      {failed.length > 0 ? (
        <Notice tone="danger">
          {failed.length} 件未办理
          <ul>
            {failed.map(({ row, why }) => (
              <li key={row.id}>
                {row.title}：{why}
              </li>
            ))}
          </ul>
        </Notice>
      ) : (
        <>
          <ul className="flow-digest">
            {rows.map((row) => (
              <li key={row.id}>
                <b>{row.title}</b> <span className="zg-2">{[row.projectName, row.applicant].filter(Boolean).join(' · ')}</span>
              </li>
            ))}
          </ul>
          <Input.TextArea
            rows={2}
            maxLength={500}
            aria-label="意见"
            placeholder="意见，可不填"
            value={opinion}
            onChange={(event) => setOpinion(event.target.value)}
          />
        </>
      )}
    </PageModal>
  )
}
