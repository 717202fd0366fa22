import { listMyRequests, type PersonRequestRow, personRequests, withdrawMyRequest } from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Pagination, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Tag, type Tone } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { NoPerson } from './link-person.tsx'
import { useOwnFile } from './use-own-file.ts'
import './settings.css'

const perPage = 20
const all = ''

/** The user's requests with their handlers and answers. */
export default function PersonalRequestPage() {
  const file = useOwnFile()
  const [page, setPage] = useState(1)
  const [kind, setKind] = useState<string>(all)
  const read = useCall(
    listMyRequests,
    { query: { page, size: perPage, ...(kind === all ? {} : { kind }) } },
    { quiet: true, enabled: Boolean(file.person), staleMs: 15_000 },
  )
  const error = file.error ?? read.error
  if (error) return <ErrorPanel error={error} retry={read.refetch} />
  if (!file.known) return <DetailSkeleton />
  if (!file.person) return <NoPerson shows="这里列出本人提出的异议、申诉、欠薪投诉和证件更新，以及答复" />
  const choices = [{ value: all, label: '全部' }, ...Object.entries(personRequests).map(([value, label]) => ({ value, label }))]
  return (
    <Card
      title="我的申请"
      remark={read.data && `${read.data.total} 件`}
      actions={
        <Segmented
          aria-label="按类别筛选"
          options={choices}
          value={kind}
          onChange={(next) => {
            setKind(next)
            setPage(1)
          }}
        />
      }
      flush
    >
      {!read.data ? (
        <DetailSkeleton />
      ) : read.data.list.length === 0 ? (
        <Empty small text="没有申请" />
      ) : (
        <>
          {read.data.list.map((one) => (
            <Request key={one.id} of={one} />
          ))}
          {read.data.total > perPage && (
            <div className="set-end">
              <Pagination
                size="small"
                current={page}
                pageSize={perPage}
                total={read.data.total}
                showSizeChanger={false}
                onChange={setPage}
              />
            </div>
          )}
        </>
      )}
    </Card>
  )
}

const tones: Record<string, Tone> = {
  [approvalStates.running]: 'running',
  [approvalStates.passed]: 'fine',
  [approvalStates.rejected]: 'danger',
  [approvalStates.withdrawn]: 'neutral',
}

function Request({ of: r }: { of: PersonRequestRow }) {
  const withdraw = useAct(withdrawMyRequest, { success: '已撤回' })
  const take = () =>
    withdraw.afterRequesting(
      { thing: `撤回${r.kindName} ${r.code ?? ''}`, consequence: '办理人不再处理，之后可以重新提出。', verb: '撤回', keep: '保留' },
      { params: { id: r.id } },
    )
  const running = r.state === approvalStates.running
  return (
    <article className="set-request">
      <h3>
        {r.kindName}
        <Tag tone={tones[r.state] ?? 'neutral'}>{running ? `待${r.node ?? '办理'}` : r.stateName}</Tag>
        <span className="zg-2">{r.code}</span>
      </h3>
      <div>{r.about}</div>
      {r.reason && <div className="zg-2">{r.reason}</div>}
      {r.files.length > 0 && (
        <div className="set-pictures">
          {r.files.map((one) => (
            <Thumb key={one} src={one} name="证明材料" width={72} height={54} />
          ))}
        </div>
      )}
      <div className="zg-2">
        {r.createTime} 提出
        {running && r.deadline && `，应于 ${r.deadline} 前答复`}
        {r.decidedName && `；${r.decideTime} ${r.decidedName} ${r.stateName}`}
      </div>
      {r.opinion && <blockquote>{r.opinion}</blockquote>}
      {r.mayWithdraw && (
        <button type="button" className="zg-bare zg-link" onClick={() => void take()}>
          撤回
        </button>
      )}
    </article>
  )
}
