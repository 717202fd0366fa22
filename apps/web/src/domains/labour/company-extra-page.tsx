import { getCorporation } from '@zhugong/contract/organisation/corporations'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { daysLeft, daysUntil, thousands } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import './labour.css'

/** Qualification and conduct of a company; calculated values are shown apart from entered ones. */
export default function CompanyExtraPage() {
  const corpCode = usePageQuery().get('corpCode') ?? ''
  const project = useProjectCode()
  const read = useCall(getCorporation, { params: { corpCode } }, { quiet: true, staleMs: 15_000 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const c = read.data
  if (!c) return <DetailSkeleton />
  const left = daysUntil(c.safetyLicenseEnd)
  const present = c.parts.filter((p) => !p.exitTime)
  const most = Math.max(1, ...c.trades.map((t) => t.count))
  return (
    <>
      {left !== undefined && left <= 90 && (
        <Notice tone={left < 0 ? 'danger' : 'warning'}>
          安全生产许可证{daysLeft(c.safetyLicenseEnd)}（{c.safetyLicenseEnd}），{left < 0 ? '不得承接新的施工' : '请及时办理延期'}
        </Notice>
      )}
      <FigureStrip
        items={[
          { label: '信用分', value: c.creditScore, remark: '初始 100', tone: c.creditScore < 80 ? 'danger' : undefined },
          { label: '在场项目', value: present.length, unit: '个', remark: `先后参与 ${c.projectCount} 个` },
          { label: '在册人数', value: thousands(c.onSite), unit: '人' },
          { label: '工种', value: c.trades.length, unit: '个' },
        ]}
      />
      <Card title="参与项目" remark={`${c.parts.length} 次参建`} flush>
        {c.parts.length === 0 ? (
          <Empty small text="还没有参与项目" />
        ) : (
          <table className="corp-parts">
            <thead>
              <tr>
                <th>项目</th>
                <th>参建类型</th>
                <th>项目负责人</th>
                <th>进场</th>
                <th>退场</th>
                <th>在册人数</th>
              </tr>
            </thead>
            <tbody>
              {c.parts.map((p) => (
                <tr key={p.id}>
                  <td>{p.projectName}</td>
                  <td>{p.corpTypeName}</td>
                  <td>{p.pmName ?? '--'}</td>
                  <td className="zg-num">{p.entryTime}</td>
                  <td className="zg-num">{p.exitTime ?? <Tag tone="fine">在场</Tag>}</td>
                  <td className="zg-num">
                    {p.onSite > 0 && (project === '*' || project === p.projectCode) ? (
                      <Link to={hrefOf('/personList', { stationed: '1', corpCode: c.corpCode })}>{thousands(p.onSite)}</Link>
                    ) : (
                      thousands(p.onSite)
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Card>
      <Card title="人员概况" remark="在场人员按工种">
        {c.trades.length === 0 ? (
          <Empty small text="没有在场人员" />
        ) : (
          c.trades.map((t) => (
            <div className="corp-trade" key={t.code || 'manager'}>
              <span>{t.name}</span>
              <span className="track">
                <Filled part={t.count} whole={most} />
              </span>
              <span className="zg-num">{t.count} 人</span>
            </div>
          ))
        )}
      </Card>
    </>
  )
}
