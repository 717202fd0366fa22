import { getApproval } from '@zhugong/contract/workflow/endpoints'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { DetailShell } from '#kit/detail-shell.tsx'
import { Empty } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { ApprovalCourse } from './approval-course.tsx'
import { ApprovalDocument } from './approval-document.tsx'
import { ApprovalHandling } from './approval-handling.tsx'
import { neighbourOf } from './approval-order.ts'
import { ApprovalTalk } from './approval-talk.tsx'
import { StateTag, stayWords } from './approval-words.tsx'
import './workflow.css'

const everyMs = 15_000

/** One approval item: the document, what the user may do with it, its steps and comments. */
export default function ApprovalDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const { data, error, refetch } = useCall(getApproval, { params: { id } }, { quiet: true, everyMs, enabled: id !== '' })
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择事项" hint="从审批列表打开一件">
          <Button onClick={() => go('/workbench/approval')}>去审批列表</Button>
        </Empty>
      </PageShell>
    )
  const move = (step: 1 | -1) => {
    const next = neighbourOf(id, step)
    if (next) go('/workbench/approvalDetail', { id: next }, { replace: true })
  }
  return (
    <DetailShell
      title={data?.title}
      tags={data && <StateTag row={data} />}
      facts={
        data
          ? [
              { label: '业务', value: data.bizTypeName },
              { label: '项目', value: data.projectName },
              { label: '发起', value: `${data.groupName} ${data.applicant}` },
              { label: '时限', value: data.deadline?.slice(0, 16), tone: data.overdue ? ('danger' as const) : undefined },
              { label: data.doneTime ? '历时' : '已停留', value: stayWords(data.stay) },
            ]
          : []
      }
      actions={
        <>
          <Button disabled={!neighbourOf(id, -1)} onClick={() => move(-1)}>
            上一条
          </Button>
          <Button disabled={!neighbourOf(id, 1)} onClick={() => move(1)}>
            下一条
          </Button>
        </>
      }
      loading={!data && !error}
      error={data ? undefined : error}
      retry={refetch}
      backTo="/workbench/approval"
    >
      {data && (
        <div className="flow-detail">
          <div className="flow-column">
            <ApprovalDocument file={data} />
            <ApprovalTalk key={data.id} file={data} />
          </div>
          <div className="flow-column">
            <ApprovalHandling file={data} onNext={() => move(1)} />
            <ApprovalCourse file={data} />
          </div>
        </div>
      )}
    </DetailShell>
  )
}
