import { forever, getIdRenewal } from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import './settings.css'

const until = (v: string | null) => (v === forever ? '长期' : v)

/** Review of a renewed ID card against the submitted data. */
export default function IdRenewalPage() {
  const id = usePageQuery().get('id') ?? ''
  const read = useCall(getIdRenewal, { params: { id }, query: { projectCode: '*' } }, { quiet: true, enabled: id !== '', staleMs: 0 })
  if (id === '') return <Empty text="请从待办或人员的证件更新申请打开" />
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <DetailSkeleton />
  const r = read.data
  return (
    <>
      <Card
        title="证件更新核对"
        remark={`${r.name} ${r.idCardMask}，${[r.projectName, r.corpName].filter(Boolean).join(' ')}`}
        actions={
          <>
            <Tag tone={r.state === approvalStates.running ? 'running' : 'neutral'}>{r.stateName}</Tag>
            {r.itemId && <Link to={hrefOf('/workbench/approvalDetail', { id: r.itemId })}>办理</Link>}
          </>
        }
      >
        <Pairs
          items={[
            { label: '现有效期', value: [r.before.startDate, until(r.before.expiryDate)].filter(Boolean).join(' 至 ') },
            { label: '新有效期', value: `${r.after.startDate} 至 ${until(r.after.expiryDate)}` },
            { label: '现发证机关', value: r.before.grantOrg },
            { label: '新发证机关', value: r.after.grantOrg },
            { label: '提出时间', value: r.createTime },
          ]}
        />
      </Card>
      <Card title="新证件照片" remark="请与原件核对；查看已记入本人的查看记录">
        {r.pictures ? (
          <div className="set-pictures">
            <Thumb src={r.pictures.front} name="证件正面" width={320} height={200} />
            <Thumb src={r.pictures.back} name="证件反面" width={320} height={200} />
          </div>
        ) : (
          <Notice tone="info">{r.state === approvalStates.running ? '本人已不在本项目在场，不再显示照片' : '已办结，照片不再显示'}</Notice>
        )}
      </Card>
    </>
  )
}
