import { LockOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { confirmProjectFacts, type getProjectFacts } from '@zhugong/contract/organisation/project-facts'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { hrefOf } from '#kit/page.tsx'
import { UnitTable } from '../places/public.tsx'
import './project-facts.css'

export type Facts = OutputFor<typeof getProjectFacts>

/** Names in `gaps` that differ from the form field. */
const fieldOf: Readonly<Record<string, string>> = { linkPhoneMask: 'linkPhone' }

function jumpTo(field: string): void {
  const at = document.getElementById(fieldOf[field] ?? field)
  at?.scrollIntoView({ block: 'center' })
  at?.focus({ preventScroll: true })
}

/** Missing or expired facts, each with a link to fix it. */
export function Gaps({ facts, fencePath }: { facts: Facts; fencePath: string }) {
  return (
    <Card title="待补齐" remark={`完整度 ${facts.completeness}%`}>
      {facts.gaps.length === 0 ? (
        <Empty small text="没有缺项" />
      ) : (
        <ul className="fact-gaps">
          {facts.gaps.map((gap) => (
            <li key={gap.field}>
              {gap.field === 'areaRule' ? (
                <Link to={hrefOf(fencePath, { projectCode: facts.projectCode })}>{gap.label}</Link>
              ) : (
                <button type="button" className="zg-bare zg-link" onClick={() => jumpTo(gap.field)}>
                  {gap.label}
                </button>
              )}
              <span className="zg-2">{gap.why}</span>
              <span>
                {gap.reported && <Tag tone="warning">上报必填</Tag>}
                {gap.keeper === 'body' && <Tag icon={<LockOutlined />}>登记</Tag>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Quarterly confirmation by the site that its facts are correct. */
export function Confirmation({ facts }: { facts: Facts }) {
  const act = useAct(confirmProjectFacts, { success: '已确认' })
  return (
    <Card title="信息属实确认" remark={facts.quarter}>
      {facts.confirmed ? (
        <Tag tone="fine">
          {facts.confirmed.by} 于 {facts.confirmed.at} 确认
        </Tag>
      ) : (
        <>
          <p className="zg-2">本季度尚未确认，确认后留下姓名与时间</p>
          <Can call={confirmProjectFacts}>
            <Button
              loading={act.running}
              disabled={facts.closed}
              onClick={() =>
                void act.afterRequesting(
                  {
                    thing: `确认 ${facts.name} ${facts.quarter}的信息属实`,
                    consequence: facts.gaps.length ? `仍有 ${facts.gaps.length} 项未补齐，确认以现有内容为准。` : '以现有内容为准。',
                    verb: '确认属实',
                    keep: '再核对',
                  },
                  { body: { projectCode: facts.projectCode } },
                )
              }
            >
              确认属实
            </Button>
          </Can>
        </>
      )}
    </Card>
  )
}

/** Registered facts of one group, with who maintains them. */
export function RegisteredGroup({ group, actions }: { group: Facts['groups'][number]; actions?: ReactNode }) {
  return (
    <Card
      title={group.group}
      remark={
        <>
          <LockOutlined /> 由{group.keeper}维护
        </>
      }
      actions={actions}
    >
      <Pairs
        items={group.items.map((item) => ({
          label: item.label,
          value: (
            <span id={item.field} tabIndex={-1}>
              {item.value ?? <span className="tone-warning">未登记</span>}
            </span>
          ),
        }))}
      />
    </Card>
  )
}

export function Licences({ list }: { list: Facts['registered']['builderLicenses'] }) {
  return (
    <Card title="施工许可证" remark={`${list.length} 个`} flush>
      <span id="builderLicenses" tabIndex={-1} />
      {list.length === 0 ? (
        <Empty small text="未登记施工许可证" />
      ) : (
        <table className="fact-table">
          <thead>
            <tr>
              <th>编号</th>
              <th>工程名称</th>
              <th>发证日期</th>
              <th>发证机关</th>
            </tr>
          </thead>
          <tbody>
            {list.map((one) => (
              <tr key={one.builderLicenseNum}>
                <td>{one.builderLicenseNum}</td>
                <td>{one.prjName}</td>
                <td>{one.licenseDate}</td>
                <td>{one.grantOrg}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

/** Parts of the works with their progress, and the way to the tree of places. */
export const Units = ({ facts, placesPath }: { facts: Facts; placesPath: string }) => (
  <UnitTable
    projectCode={facts.projectCode}
    closed={facts.closed}
    actions={<Link to={hrefOf(placesPath, { projectCode: facts.projectCode })}>单体与部位</Link>}
  />
)

export const PendingChanges = ({ count }: { count: number }) =>
  count > 0 ? <Notice tone="info">有 {count} 项登记变更等待审定，审定后这里随之更新</Notice> : null
