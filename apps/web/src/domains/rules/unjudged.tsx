import { unjudgedRules } from '@zhugong/contract/rules/endpoints'
import type { UnjudgedRule } from '@zhugong/contract/rules/model'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Notice, RiskBadge, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { unjudgedWords } from './unjudged-words.ts'
import './rules.css'

interface UnjudgedQuery {
  projectCode?: string
  deviceId?: string
  ruleId?: string
}
const lookAgainMs = 60_000

export function useUnjudged(query: UnjudgedQuery) {
  const enabled = useCan(unjudgedRules)
  return useCall(unjudgedRules, { query: { ...query, size: 200 } }, { enabled, quiet: true, everyMs: lookAgainMs })
}

/** Notice of alarms that cannot be evaluated, with the list behind it; renders nothing if there are none. */
export function UnjudgedNotice({ projectCode }: { projectCode: string }) {
  const [open, setOpen] = useState(false)
  const { data } = useUnjudged({ projectCode })
  if (!data || data.total === 0) return null
  return (
    <>
      <Notice
        tone="warning"
        actions={
          <Button size="small" onClick={() => setOpen(true)}>
            查看缺什么
          </Button>
        }
      >
        {unjudgedWords(data)}
      </Notice>
      <UnjudgedDrawer query={open ? { projectCode } : undefined} onClose={() => setOpen(false)} />
    </>
  )
}

export function UnjudgedDrawer({ query: requested, onClose }: { query: UnjudgedQuery | undefined; onClose: () => void }) {
  return (
    <PageDrawer open={requested !== undefined} size={720} title="不能判定的规则" onClose={onClose}>
      {requested && <Unjudged query={requested} />}
    </PageDrawer>
  )
}

function Unjudged({ query: requested }: { query: UnjudgedQuery }) {
  const { data, error, isPending, refetch } = useUnjudged(requested)
  if (isPending) return <TableSkeleton rows={6} columns={3} />
  if (error) return <ErrorPanel error={error} retry={refetch} />
  return (
    <>
      <p className="rule-help">规则已启用，但缺少判定所需的数据：既不会告警，也不会解除。数据恢复或填写后自动移出。</p>
      {data.list.length === 0 ? (
        <Empty small text="全部规则都能判定" hint="缺数据、缺参数或邻机失联时列在这里" />
      ) : (
        <Lines rules={data.list} isAboutOne={requested.deviceId !== undefined} />
      )}
    </>
  )
}

/** Alarms of one device that cannot be evaluated. */
export function DeviceUnjudged({ deviceId }: { deviceId: string }) {
  const { data } = useUnjudged({ deviceId })
  if (!data || data.list.length === 0) return null
  return (
    <Card title="不能判定的告警" remark={`${data.total} 种，数据恢复或填写后自动移出`} flush>
      <Lines rules={data.list} isAboutOne />
    </Card>
  )
}

function Lines({ rules, isAboutOne }: { rules: readonly UnjudgedRule[]; isAboutOne: boolean }) {
  return (
    <ul className="rule-unjudged">
      {rules.map((rule) => (
        <li key={rule.ruleId}>
          <p>
            <RiskBadge level={rule.level} word={false} /> <b>{rule.alarmLabel}</b>
            <span className="zg-2">{isAboutOne ? rule.ruleName : `${rule.familyName}，覆盖 ${rule.covered} 台`}</span>
            {!isAboutOne && <Tag tone="warning">{rule.noSource ? '无数据源' : `${rule.unable} 台不能判定`}</Tag>}
          </p>
          {rule.noSource && !isAboutOne && <div className="zg-2">没有设备上报它需要的数据</div>}
          {rule.devices.map((one) => (
            <div key={one.deviceId}>
              {!isAboutOne && (
                <Link to={hrefOf('/administrationDetails', { id: one.deviceId, tab: 'alarms' })} title={one.projectName}>
                  {one.deviceName}
                </Link>
              )}
              {one.missing.map((lack) => (
                <span key={`${lack.kind}${lack.key}`}>{lack.text}</span>
              ))}
            </div>
          ))}
          {rule.unable > rule.devices.length && <div className="zg-2">另有 {rule.unable - rule.devices.length} 台</div>}
        </li>
      ))}
    </ul>
  )
}
