import { dayMs } from '@zhugong/contract/kit/time'
import type { TeamDetail } from '@zhugong/contract/labour/model'
import { getTeam } from '@zhugong/contract/labour/teams'
import { certStates } from '@zhugong/contract/personnel/rules'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { ShareBar } from '#kit/filled.tsx'
import { day, daysUntil, phone, ratio } from '#kit/format.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import './labour.css'

/** A team's facts and history: projects, people, certificates. */
export default function TeamBasicPage() {
  const id = usePageQuery().get('id') ?? ''
  const read = useCall(getTeam, { params: { id } }, { quiet: true, staleMs: 15_000 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const t = read.data
  if (!t) return <DetailSkeleton />
  const special = t.people.filter((p) => p.certState !== 'none')
  const existing = special.filter((p) => p.certState === 'valid' || p.certState === 'expiring').length
  return (
    <>
      <Card title="班组与责任人">
        <Pairs
          items={[
            { label: '班组编号', value: t.teamSysNo },
            { label: '班组工种', value: t.workTypeName },
            { label: '所属企业', value: t.corpName },
            { label: '责任人', value: t.responsiblePersonName },
            { label: '责任人电话', value: t.responsiblePersonPhone ? phone(t.responsiblePersonPhone) : null },
            { label: '责任人证件号', value: t.responsiblePersonIdNumber },
            { label: '三月稳定率', value: ratio(t.steadiness) },
            { label: '影响期内不良', value: `${t.badCount} 次` },
            { label: '特种证覆盖', value: special.length ? `${existing} / ${special.length}` : '本班组不要求' },
            { label: '备注', value: t.remark, wide: true },
          ]}
        />
      </Card>
      <Card title="项目经历" remark={`${t.projectCount} 个项目，${t.stays.length} 段`} flush>
        <Years stays={t.stays} />
      </Card>
      <Card title="在册人数" remark="近 12 个月月末" flush>
        <Months months={t.months} />
      </Card>
      <Card
        title="现有人员"
        remark={`${t.people.length} 人`}
        actions={<Link to={hrefOf('/personList', { stationed: '1', teamId: t.id })}>在人员列表中办理</Link>}
        flush
      >
        {t.people.length === 0 ? (
          <Empty small text="班组内没有在场人员" hint="从“登记人员”选择本班组" />
        ) : (
          <div className="team-people">
            {t.people.map((p) => (
              <Link
                key={p.projectWorkerId}
                className="team-person"
                to={hrefOf('/personListDetails', { id: p.projectWorkerId, workerId: p.workerId })}
              >
                <span>
                  <strong>{p.name}</strong>{' '}
                  {p.isTeamLeader && (
                    <Tag tone="running" icon={false}>
                      班组长
                    </Tag>
                  )}
                  <span className="zg-2 zg-block">
                    {[p.workTypeName, `${p.age} 岁`, `入班 ${-(daysUntil(p.entryTime) ?? 0)} 天`].filter(Boolean).join(' · ')}
                  </span>
                </span>
                <span className="right">
                  {p.certState !== 'none' && p.certState !== 'valid' && (
                    <Tag tone={p.certState === 'expiring' ? 'warning' : 'danger'} icon={false}>
                      {certStates[p.certState as keyof typeof certStates]}
                    </Tag>
                  )}
                </span>
              </Link>
            ))}
          </div>
        )}
      </Card>
    </>
  )
}

/** All stays on one time axis, so that gaps and overlaps are visible. */
function Years({ stays }: { stays: TeamDetail['stays'] }) {
  if (stays.length === 0) return <Empty small text="还没有进过项目" />
  const today = day(Date.now())
  const start = Math.min(...stays.map((s) => Date.parse(s.entryTime)))
  const whole = Math.max(Date.parse(today) - start, 30 * dayMs)
  return (
    <div>
      {stays.map((s) => {
        const from = ((Date.parse(s.entryTime) - start) / whole) * 100
        const to = ((Date.parse(s.exitTime ?? today) - start) / whole) * 100
        return (
          <div className="team-line" key={s.id}>
            <div>
              <div>
                <Link to={hrefOf('/teamListEditDetails', { id: s.id })}>{s.projectName ?? s.projectCode}</Link>
              </div>
              <div className="zg-2 zg-small">
                {s.entryTime} 至 {s.exitTime ?? '今'}
              </div>
            </div>
            <div className="track">
              <i className={s.exitTime ? '' : 'now'} style={{ left: `${from}%`, width: `${Math.max(0.5, to - from)}%` }} />
            </div>
            <div className="zg-2">{s.exitTime ? `先后 ${s.everCount} 人` : `在册 ${s.headcount} 人`}</div>
          </div>
        )
      })}
    </div>
  )
}

function Months({ months }: { months: TeamDetail['months'] }) {
  const most = Math.max(1, ...months.map((m) => m.count))
  return (
    <div className="team-months">
      {months.map((m, i) => (
        <div key={m.month} className={`bar ${i === months.length - 1 ? 'now' : ''}`}>
          <span>{m.count}</span>
          <ShareBar part={m.count} whole={most} px={54} />
          <span>{m.month.slice(5)} 月</span>
        </div>
      ))}
    </div>
  )
}
