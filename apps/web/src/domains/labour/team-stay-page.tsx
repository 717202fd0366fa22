import { enterWorker } from '@zhugong/contract/labour/stays'
import { updateTeam } from '@zhugong/contract/labour/teams'
import { getTeamStay, leaveWithTeam, type TeamStayInfo, updateTeamStay } from '@zhugong/contract/labour/unit-info'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell, NothingChosen } from '#kit/detail-shell.tsx'
import { Card, Empty, FigureStrip, Tag } from '#kit/feedback.tsx'
import { age, day, daysUntil, dueWords, phone, thousands } from '#kit/format.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { smallOf } from '#kit/small-picture.ts'
import { DayCurve } from './day-curve.tsx'
import { TeamLeaveDrawer } from './team-leave-drawer.tsx'
import './labour.css'

type Member = TeamStayInfo['members'][number]
/** A member expected but absent for this many days should be called. */
const missingDays = 3

/** A team on this site, today and this month. */
export default function TeamStayPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const read = useCall(getTeamStay, { params: { id } }, { quiet: true, enabled: id !== '', staleMs: 15_000 })
  const [leaves, setLeaves] = useState(false)
  const s = read.data
  if (!id) return <NothingChosen title="班组详情" thing="班组" one="一个班组" from={{ path: '/teamSystem', name: '班组管理' }} />
  return (
    <DetailShell
      title={s?.teamName}
      place={s && { projectCode: s.projectCode, corpCode: s.corpCode }}
      tags={s && (s.exitTime ? <Tag>已于 {s.exitTime} 退场</Tag> : <Tag tone="fine">在场</Tag>)}
      loading={read.isPending}
      error={read.error}
      retry={read.refetch}
      backTo="/teamSystem"
      facts={
        s
          ? [
              { label: '项目', value: s.projectName },
              { label: '单位', value: s.corpName },
              { label: '工种', value: s.workTypeName },
              {
                label: '班组长',
                value: s.teamLeaderName ? `${s.teamLeaderName} ${s.teamLeaderPhone ? phone(s.teamLeaderPhone) : ''}` : '未指定',
                tone: s.teamLeaderName ? undefined : 'warning',
              },
              { label: '进场', value: s.entryTime },
            ]
          : []
      }
      actions={
        s && (
          <>
            <Button onClick={() => go('/attendance', { teamId: s.teamId })}>月考勤表</Button>
            {!s.exitTime && (
              <Can call={enterWorker}>
                <Button onClick={() => go('/personListEdit', { corpCode: s.corpCode, teamId: s.teamId })}>添加人员</Button>
              </Can>
            )}
            <Can call={updateTeamStay}>
              <Button onClick={() => go('/teamListEdit', { id })}>编辑</Button>
            </Can>
            <Can call={updateTeam}>
              <Button onClick={() => go('/teamSystem/info/basic', { id: s.teamId })}>班组档案</Button>
            </Can>
            {!s.exitTime && (
              <Can call={leaveWithTeam}>
                <Button danger onClick={() => setLeaves(true)}>
                  班组退场
                </Button>
              </Can>
            )}
          </>
        )
      }
    >
      {s && <Sides s={s} />}
      {s && leaves && <TeamLeaveDrawer stay={s} onClose={() => setLeaves(false)} />}
    </DetailShell>
  )
}

const isMissing = (m: Member) => m.expected && !m.came && (m.lastPass === null || -(daysUntil(m.lastPass) ?? 0) >= missingDays)
const shownBy: Readonly<Record<string, (m: Member) => boolean>> = {
  all: () => true,
  came: (m) => m.came,
  absent: (m) => m.expected && !m.came,
  gaps: (m) => m.gaps.length > 0,
}

function Sides({ s }: { s: TeamStayInfo }) {
  const [shown, setShown] = useState('all')
  const absent = s.members.filter((m) => m.expected && !m.came).length
  const lost = s.members.filter(isMissing).length
  const withGaps = s.members.filter((m) => m.gaps.length > 0).length
  const members = s.members.filter(shownBy[shown] ?? (() => true))
  return (
    <>
      <FigureStrip
        items={[
          { label: '在册', value: thousands(s.headcount), unit: '人', remark: `先后 ${s.everCount} 人` },
          {
            label: '今日实到',
            value: thousands(s.today.arrived),
            unit: '人',
            remark: `${dueWords(s.today)}，现在场内 ${s.insideNow} 人`,
          },
          {
            label: '今日未到',
            value: thousands(absent),
            unit: '人',
            remark: lost ? `其中 ${lost} 人 ${missingDays} 天以上未见` : undefined,
            tone: lost ? 'danger' : absent ? 'warning' : undefined,
          },
          { label: '有缺口', value: thousands(withGaps), unit: '人', tone: withGaps ? 'warning' : undefined },
        ]}
      />
      <Card
        title="人员"
        remark={`${members.length} 人`}
        actions={
          <Segmented
            value={shown}
            onChange={setShown}
            options={[
              { value: 'all', label: '全部' },
              { value: 'came', label: '已到' },
              { value: 'absent', label: '未到' },
              { value: 'gaps', label: '有缺口' },
            ]}
          />
        }
        flush
      >
        {members.length === 0 ? (
          <Empty small text={s.members.length ? '没有符合的人员' : '班组内没有在场人员'} />
        ) : (
          <div className="lab-members">
            {members.map((m) => (
              <MemberCard key={m.projectWorkerId} m={m} />
            ))}
          </div>
        )}
      </Card>
      <div className="lab-two">
        <Card title="近 30 日出勤" remark="应到与实到">
          <DayCurve days={s.days} />
        </Card>
        <Card title="进退场记录" remark={s.moves.length ? `最近 ${s.moves.length} 条` : undefined}>
          {s.moves.length === 0 ? (
            <Empty small text="还没有人进出" />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable to scroll it by keyboard
            <ol className="zg-work-lines lab-moves" tabIndex={0}>
              {s.moves.map((m) => (
                <li key={`${m.date}${m.name}${m.text}`}>
                  <span className="zg-num">{m.date}</span> {m.name} {m.text}
                </li>
              ))}
            </ol>
          )}
        </Card>
      </div>
      {s.remark && <Card title="备注">{s.remark}</Card>}
    </>
  )
}

/** A member: green if present; if missing, shows when last seen, so that the leader can call those who matter. */
function MemberCard({ m }: { m: Member }) {
  const now = m.inside ? '在场内' : m.came ? '已离场' : m.expected ? '未到' : '今日不排班'
  return (
    <Link
      className={`lab-member ${m.firstIn ? 'came' : isMissing(m) ? 'missing' : ''}`}
      to={hrefOf('/personListDetails', { id: m.projectWorkerId, workerId: m.workerId })}
    >
      {m.photo ? <img src={smallOf(m.photo)} alt="" loading="lazy" /> : <span className="face" />}
      <span>
        <strong>{m.name}</strong>{' '}
        {m.isTeamLeader && (
          <Tag tone="running" icon={false}>
            班组长
          </Tag>
        )}
        <small>
          {now}
          {m.firstIn ? `，首次入场 ${m.firstIn}` : m.lastPass && `，上次 ${day(m.lastPass)}（${age(m.lastPass)}）`}
        </small>
        <small>
          本月 {m.monthDays} 天，{m.monthHours} 小时
        </small>
        {m.gaps.length > 0 && <small className={m.gaps.includes('黑名单') ? 'tone-danger' : 'tone-warning'}>{m.gaps.join('、')}</small>}
      </span>
    </Link>
  )
}
