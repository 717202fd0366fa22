import { LockOutlined, PrinterOutlined, UnlockOutlined } from '@ant-design/icons'
import { actOnMonth, getMonth, type MonthState } from '@zhugong/contract/attendance/fix-endpoints'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { confirmedWords } from './day-words.ts'

const confirming = withCode(actOnMonth, 'attendance.confirm')
const closing = withCode(actOnMonth, 'attendance.close')

/** Confirmation and closing of a month. Wages are calculated from the version closed here. */
export function ClosingTab({ projectCode, month }: { projectCode: string; month: string }) {
  const { data, error, refetch } = useCall(getMonth, { query: { projectCode, month } }, { quiet: true, keepPrevious: true })
  const act = useAct(actOnMonth, { success: '已办理', onDone: () => refresh() })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const print = usePrint('attendanceMonthly')
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const send = (body: { action: 'confirm' | 'close' | 'reopen'; teamSysNos?: string[]; reason?: string }) =>
    act.run({ query: { projectCode }, body: { month, version: data.version, ...body } })
  const close = async () => {
    const yes = await confirmDanger({
      thing: `${month} 考勤封账，第 ${data.version + 1} 版`,
      consequence: '数字按现在的固定，工资按此计算；以后补传或更正的不改这一版，列为差异。重开须由总包或建设单位办理。',
      verb: '封账',
      keep: '再核对',
    })
    if (yes) await send({ action: 'close' })
  }
  const reopen = async () => {
    const reason = await askReason(`重开 ${month} 考勤`, '重开原因（至少 5 个字）')
    if (reason) await send({ action: 'reopen', reason })
  }
  const unconfirmed = data.teams.filter((t) => t.confirmedAt === null || t.changed)
  return (
    <div className="att-closing">
      <FigureStrip
        items={[
          {
            label: '状态',
            value: data.closed ? '已封账' : data.version > 0 ? '已重开' : '未封账',
            tone: data.closed ? 'fine' : 'warning',
            remark: data.closed ? `第 ${data.version} 版，${data.hash?.slice(0, 8) ?? ''}` : undefined,
          },
          { label: '未确认班组', value: unconfirmed.length, unit: '个', tone: unconfirmed.length ? 'warning' : undefined },
          {
            label: '待审更正',
            value: data.waitingFixes,
            unit: '条',
            tone: data.waitingFixes ? 'warning' : undefined,
            href: hrefOf('/attendance', { tab: 'fixes', month, state: '1' }),
          },
          { label: '封账后差异', value: data.differences.length, unit: '人', tone: data.differences.length ? 'danger' : undefined },
        ]}
      />
      {!data.closed && data.hindrances.length > 0 && <Notice tone="info">封账前：{data.hindrances.join('；')}</Notice>}
      {data.closed && data.differences.length > 0 && (
        <Notice tone="warning">封账后又有补传或更正，{data.differences.length} 人的数字与封账时不同；在下月补发，或重开后另出一版</Notice>
      )}
      <div className="att-acts">
        {data.mayReopen && (
          <Button icon={<UnlockOutlined />} loading={act.running} onClick={() => void reopen()}>
            重开
          </Button>
        )}
        {data.closed && !data.mayReopen && <span className="zg-2">重开由总包或建设单位中有月度封账权限的人办理</span>}
        {!data.closed && (
          <Can call={closing}>
            <Button
              type="primary"
              icon={<LockOutlined />}
              disabled={data.hindrances.length > 0}
              title={data.hindrances.join('；') || undefined}
              loading={act.running}
              onClick={() => void close()}
            >
              封账
            </Button>
          </Can>
        )}
        {(['A3', 'A4'] as const).map((paper) => (
          <Button
            key={paper}
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() =>
              void print.run({ body: { feature: 'attendanceMonthly', exportType: 'pdf', query: { projectCode, month, paper } } })
            }
          >
            打印 {paper} 横
          </Button>
        ))}
      </div>
      <div className="att-panels">
        <Card
          title="班组确认"
          remark="与班组长核对天数与工时后确认，记录由谁代哪位班组长确认；确认后数字有变化须再确认"
          flush
          actions={
            !data.closed && (
              <Can call={confirming}>
                <Button
                  size="small"
                  disabled={!data.over || chosen.length === 0}
                  loading={act.running}
                  onClick={() => void send({ action: 'confirm', teamSysNos: [...chosen] }).then(() => setChosen([]))}
                >
                  确认 {chosen.length} 个班组
                </Button>
              </Can>
            )
          }
        >
          {data.teams.length === 0 ? (
            <Empty small text="本月没有班组考勤" />
          ) : (
            <ul className="att-teams">
              {data.teams.map((t) => (
                <li key={t.teamSysNo}>
                  <Checkbox
                    aria-label={`选择 ${t.teamName ?? ''}`}
                    disabled={data.closed || !data.over || (t.confirmedAt !== null && !t.changed)}
                    checked={chosen.includes(t.teamSysNo)}
                    onChange={(event) =>
                      setChosen(event.target.checked ? [...chosen, t.teamSysNo] : chosen.filter((one) => one !== t.teamSysNo))
                    }
                  />
                  <Link to={hrefOf('/attendance', { month, unit: `|${t.teamSysNo}` })}>{t.teamName ?? t.teamSysNo}</Link>
                  <span className="zg-2">{t.corpName}</span>
                  <span className="numbers">
                    {t.people} 人，{thousands(t.attendDays)} 天，{thousands(t.workHours.toFixed(1))} 小时
                  </span>
                  <Agreed team={t} />
                </li>
              ))}
            </ul>
          )}
        </Card>
        <Card title="版本" remark="每次封账一版，旧版不改" flush>
          {data.versions.length === 0 ? (
            <Empty small text="还没有封过账" />
          ) : (
            <ul className="att-versions">
              {data.versions.map((v) => (
                <li key={v.version}>
                  <b>第 {v.version} 版</b> {v.people} 人，{thousands(v.attendDays)} 天，{thousands(v.workHours)} 小时
                  <div className="zg-2">
                    {time(v.closedAt)} {v.closedName} 封账，<code className="att-hash">{v.hash}</code>
                  </div>
                  {v.reopenedAt && (
                    <div className="zg-2">
                      {time(v.reopenedAt)} {v.reopenedName} 重开：{v.reopenReason}
                    </div>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Card>
        {data.differences.length > 0 && <Differences state={data} />}
      </div>
    </div>
  )
}

function Agreed({ team }: { team: MonthState['teams'][number] }) {
  if (team.confirmedAt === null) return <span className="zg-2">未确认{team.leaderName && `，班组长 ${team.leaderName}`}</span>
  return (
    <Tag tone={team.changed ? 'warning' : 'fine'} icon={false}>
      {team.changed ? '确认后有变化' : confirmedWords(team)}
    </Tag>
  )
}

function Differences({ state }: { state: MonthState }) {
  return (
    <Card title="封账后的差异" remark="左为封账时，右为现在" flush className="wide">
      <table className="att-compare">
        <thead>
          <tr>
            <th>姓名</th>
            <th>班组</th>
            <th>出勤天数</th>
            <th>工时</th>
          </tr>
        </thead>
        <tbody>
          {state.differences.map((d) => (
            <tr key={d.workerId}>
              <th scope="row">
                <Link to={hrefOf('/SingleAttendance', { workerId: d.workerId, month: state.month })}>{d.name}</Link>
              </th>
              <td>{d.teamName}</td>
              <td>
                {d.closedDays} → <b>{d.days}</b>
              </td>
              <td>
                {d.closedHours.toFixed(1)} → <b>{d.hours.toFixed(1)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
