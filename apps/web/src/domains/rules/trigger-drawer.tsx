import { getTrigger } from '@zhugong/contract/rules/endpoints'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useFamily } from '#kit/family.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, RiskBadge } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import { changesBetween } from './version-diff.ts'

const scopeKinds: Readonly<Record<string, string>> = { global: '全局', projects: '项目', gateways: '网关', devices: '设备', points: '测点' }

/** One rule: change history, narrower rules that override it, and its open alarms. */
export function TriggerDrawer({ rule, onClose }: { rule: { id: string; name: string } | undefined; onClose: () => void }) {
  return (
    <PageDrawer open={rule !== undefined} size={760} title={rule?.name} onClose={onClose}>
      {rule && <Story id={rule.id} />}
    </PageDrawer>
  )
}

function Story({ id }: { id: string }) {
  const { data, error, refetch } = useCall(getTrigger, { params: { id } }, { quiet: true })
  const rule = data?.template === false ? data : undefined
  const family = useFamily(rule?.family)
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!rule || family.isPending) return <DetailSkeleton />
  return (
    <div className="rule-story">
      <p className="rule-help">{rule.summary}</p>
      {rule.overrides.length > 0 && (
        <Card title="更窄的规则" remark="在它们的设备上以更窄的为准" flush>
          <ul className="rule-unjudged">
            {rule.overrides.map((one) => (
              <li key={one.id}>
                <Link to={hrefOf('/reg2_createRegView', { id: one.id })}>{one.name}</Link>{' '}
                <span className="zg-2">{scopeKinds[one.scopeKind] ?? one.scopeKind}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {rule.openAlarms.length > 0 && (
        <Card title="未恢复的告警" remark={`${rule.openAlarms.length} 条`} flush>
          <ul className="rule-unjudged">
            {rule.openAlarms.map((one) => (
              <li key={one.id}>
                <RiskBadge level={one.level} word={false} />{' '}
                <Link to={hrefOf('/alarm/record', { tab: 'all', alarmId: one.id })}>{one.deviceName}</Link>{' '}
                <span className="zg-2">{time(one.startTime)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="版本" remark="每次保存为新版本，告警保留当时的版本" flush>
        {rule.versions.length === 0 ? (
          <Empty small text="还没有改动" hint="出厂设置，保存后从第 1 版记起" />
        ) : (
          <ul className="rule-unjudged">
            {rule.versions.map((one, at) => {
              const older = rule.versions[at + 1]
              const changes = older ? changesBetween(older.content, one.content, family.data) : []
              return (
                <li key={one.version}>
                  <p>
                    <b>第 {one.version} 版</b>
                    <span className="zg-2">
                      {time(one.time)} {one.byName ?? '系统'}
                    </span>
                    {!older && <span className="zg-2">最早的记录</span>}
                  </p>
                  {older && changes.length === 0 && <div className="zg-2">内容没有变化</div>}
                  {changes.map((c) => (
                    <div key={c.label}>
                      <span className="zg-2">{c.label}</span>
                      <del>{c.before}</del>
                      <ins>{c.after}</ins>
                    </div>
                  ))}
                </li>
              )
            })}
          </ul>
        )}
      </Card>
    </div>
  )
}
