import { getFlowSettings } from '@zhugong/contract/workflow/endpoints'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { FlowEditor } from './flow-editor.tsx'
import './workflow.css'

const modeWords = { upper: '沿用上级', own: '自定义', none: '免审' } as const

/** Flow settings of a group: a list of kinds and the editor of one. */
export default function FlowSettingsPage() {
  const page = usePage()
  const requested = usePageQuery().get('bizType') ?? undefined
  const kinds = useCall(getFlowSettings, { query: {} }, { quiet: true })
  const bizType = requested ?? kinds.data?.kinds[0]?.kind
  const whole = useCall(getFlowSettings, { query: { bizType } }, { quiet: true, enabled: bizType !== undefined })
  if (kinds.error) return <ErrorPanel error={kinds.error} retry={kinds.refetch} />
  if (!kinds.data) return <DetailSkeleton />
  const list = (
    <Card title="业务" flush>
      <nav className="flow-kinds" aria-label="业务">
        {kinds.data.kinds.map((one) => (
          <Link
            key={one.kind}
            to={hrefOf(page.path, { bizType: one.kind })}
            replace
            aria-current={one.kind === bizType ? 'page' : undefined}
          >
            {one.name}
            {one.empty ? <Tag tone="danger">有步骤无人</Tag> : <span className="zg-2">{modeWords[one.mode]}</span>}
          </Link>
        ))}
      </nav>
    </Card>
  )
  const setting = whole.data?.setting
  if (whole.error) return <ErrorPanel error={whole.error} retry={whole.refetch} />
  if (!setting)
    return (
      <PageShell>
        <div className="flow-settings">
          {list}
          <DetailSkeleton />
        </div>
      </PageShell>
    )
  return <FlowEditor key={`${setting.kind}${setting.version}`} setting={setting} groupName={kinds.data.groupName} kinds={list} />
}
