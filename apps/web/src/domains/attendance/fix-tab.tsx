import { correctionKinds } from '@zhugong/contract/attendance/facts'
import {
  actOnFix,
  type FixRole,
  type FixRow,
  fixContent,
  fixList,
  fixRoles,
  fixStates,
  getFix,
} from '@zhugong/contract/attendance/fix-endpoints'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { refresh, useAct, useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag, type Tone } from '#kit/feedback.tsx'
import { minuteOfDay, thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { FixDrawer, type FixWanted } from './fix-drawer.tsx'
import { ResultWords } from './words.tsx'

const kindOptions = Object.entries(correctionKinds).map(([value, label]) => ({ value, label }))
const stateOptions = [
  { value: '1', label: '审批中' },
  { value: '2', label: '已通过' },
  { value: '3', label: '已驳回' },
  { value: '4', label: '已撤回' },
]
const tones: Readonly<Record<string, Tone>> = { '1': 'warning', '2': 'fine', '3': 'danger', '4': 'neutral' }

/** Approves, rejects or withdraws corrections; several are sent one after the other with one reason. */
function useDecide() {
  const act = useAct(actOnFix, { success: false, onDone: () => refresh() })
  const decide = async (rows: readonly FixRow[], action: 'pass' | 'reject' | 'withdraw') => {
    const opinion = action === 'reject' ? await askReason(`驳回 ${rows.length} 条更正`, '驳回原因') : undefined
    if (action === 'reject' && !opinion) return
    for (const row of rows)
      await act.run({
        params: { id: row.id },
        query: { projectCode: row.projectCode },
        body: { action, version: row.version, opinion: opinion || undefined },
      })
  }
  return { decide, running: act.running }
}

export function FixTab({ projectCode, month, toolbar }: { projectCode: string; month: string | undefined; toolbar: React.ReactNode }) {
  const [shown, setShown] = useState<string>()
  const { decide, running } = useDecide()
  const list = useListPage(fixList, {
    scope: useMemo(() => ({ projectCode, month: month || undefined }), [projectCode, month]),
    own: useMemo(() => ['tab', 'month'], []),
  })
  const columns: ColumnOf<typeof fixList>[] = [
    { key: 'kind', width: 92, filter: 'multi', options: kindOptions, locked: true, value: (r) => r.kindName },
    {
      key: 'name',
      width: 92,
      filter: 'text',
      sort: true,
      locked: true,
      value: (r) =>
        r.workerId ? (
          <Link to={hrefOf('/SingleAttendance', { workerId: r.workerId, month: r.workDay?.slice(0, 7) })}>{r.name}</Link>
        ) : (
          '全项目'
        ),
    },
    { key: 'projectName', width: 150, hidden: projectCode !== '*', value: (r) => r.projectName },
    { key: 'teamName', width: 100, value: (r) => r.teamName },
    { key: 'corpName', width: 140, hidden: true, value: (r) => r.corpName },
    { key: 'workDay', width: 104, filter: 'date-range', sort: true, value: (r) => r.workDay },
    { key: 'content', width: 180, value: (r) => fixContent(r) },
    { key: 'reason', width: 200, wrap: true, value: (r) => r.reason },
    {
      key: 'state',
      width: 96,
      filter: 'multi',
      options: stateOptions,
      sort: true,
      value: (r) => (
        <Tag tone={tones[r.state] ?? 'neutral'} icon={false}>
          {r.stateName}
        </Tag>
      ),
    },
    {
      key: 'missing',
      width: 120,
      value: (r) => (r.state === fixStates.waiting ? r.missing.map((m) => fixRoles[m as FixRole]).join('、') : null),
    },
    {
      key: 'inMonth',
      width: 84,
      align: 'right',
      value: (r) => (r.workerId ? <span className={r.often ? 'tone-danger' : ''}>{r.inMonth}</span> : null),
    },
    { key: 'requestedName', width: 84, value: (r) => r.requestedName },
    { key: 'requestedAt', width: 152, sort: true, value: (r) => time(r.requestedAt) },
    { key: 'approvedName', width: 84, hidden: true, value: (r) => r.approvedName },
    { key: 'approvedAt', width: 152, hidden: true, value: (r) => time(r.approvedAt) },
    { key: 'seq', width: 88, align: 'right', hidden: true, value: (r) => (r.seq === null ? null : thousands(r.seq)) },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        name="attendance-fixes"
        exportTitle="考勤更正"
        toolbar={toolbar}
        search={{ key: 'name', placeholder: '姓名' }}
        onRow={(r) => setShown(r.id)}
        emptyHint="在考勤列表或考勤详情里申请补卡、请假、误刷；申请后在这里审批"
        actions={(r) => [
          r.actions.includes('pass') && { label: '同意', needs: 'attendance.approve', onClick: () => decide([r], 'pass') },
          r.actions.includes('reject') && {
            label: '驳回',
            danger: true,
            needs: 'attendance.approve',
            onClick: () => decide([r], 'reject'),
          },
          r.actions.includes('withdraw') && { label: '撤回', onClick: () => decide([r], 'withdraw') },
        ]}
        selection={{
          unit: '条',
          disabled: (r) => !r.actions.includes('pass'),
          actions: (rows, clear) => (
            <>
              <Button loading={running} onClick={() => void decide(rows, 'pass').then(clear)}>
                同意
              </Button>
              <Button loading={running} danger onClick={() => void decide(rows, 'reject').then(clear)}>
                驳回
              </Button>
            </>
          ),
        }}
      />
      <PageDrawer open={shown !== undefined} size={640} title="考勤更正" onClose={() => setShown(undefined)}>
        {shown && <FixDetail id={shown} projectCode={projectCode} onClose={() => setShown(undefined)} />}
      </PageDrawer>
    </>
  )
}

/** The day before and after a correction, with the opinions of the approvers. */
function FixDetail({ id, projectCode, onClose }: { id: string; projectCode: string; onClose: () => void }) {
  const { data, error, refetch } = useCall(getFix, { params: { id }, query: { projectCode } }, { quiet: true })
  const { decide, running } = useDecide()
  const [wanted, setWanted] = useState<FixWanted>()
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const changed = data.days.filter((d) => JSON.stringify(d.before) !== JSON.stringify(d.after))
  return (
    <div className="att-account">
      {data.often && <Notice tone="warning">此人本月已有 {data.inMonth} 条更正，请核对凭证</Notice>}
      {data.keyPost && <Notice tone="info">关键岗位：须监理或建设单位同意，到岗率另列含更正与不含更正</Notice>}
      <Pairs
        items={[
          { label: '更正', value: data.kindName },
          { label: '人员', value: data.name ?? '全项目' },
          { label: '班组', value: data.teamName },
          { label: '考勤日', value: data.workDay },
          { label: '内容', value: fixContent(data) },
          { label: '申请', value: `${data.requestedName ?? ''} ${time(data.requestedAt)}` },
          { label: '原因', value: data.reason, wide: true },
        ]}
      />
      {data.files.length > 0 && (
        <div className="att-files">
          {data.files.map((f) => (
            <Thumb key={f} src={f} name="附件" width={72} height={54} />
          ))}
        </div>
      )}
      <section>
        <h3>更正前后</h3>
        {changed.length === 0 ? (
          <Empty small text={data.workerId ? '不改变任何一天的结果' : '涉及全项目，逐人重算'} />
        ) : (
          <table className="att-compare">
            <thead>
              <tr>
                <th>考勤日</th>
                <th>更正前</th>
                <th>更正后</th>
              </tr>
            </thead>
            <tbody>
              {changed.map((d) => (
                <tr key={d.workDay}>
                  <th scope="row">{d.workDay}</th>
                  {[d.before, d.after].map((f, i) => (
                    <td key={i === 0 ? 'before' : 'after'}>
                      {minuteOfDay(f.firstIn)} 至 {minuteOfDay(f.lastOut)}，{f.workHours.toFixed(1)} 小时
                      <br />
                      <ResultWords results={f.results} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section>
        <h3>审批</h3>
        <ul className="att-course">
          {data.approvals.map((a) => (
            <li key={a.at}>
              {time(a.at)} {fixRoles[a.role as FixRole]} {a.name} {a.result === 'pass' ? '同意' : '驳回'}
              {a.opinion && `：${a.opinion}`}
            </li>
          ))}
          {data.state === fixStates.waiting && (
            <li className="zg-2">等待 {data.missing.map((m) => fixRoles[m as FixRole]).join('、')} 审批</li>
          )}
          {data.seq !== null && (
            <li>
              已入账本，<Link to={hrefOf('/checkRecord', { tab: 'ledger' })}>第 {thousands(data.seq)} 条</Link>
            </li>
          )}
        </ul>
      </section>
      <div className="att-acts">
        {data.actions.includes('pass') && (
          <Button type="primary" loading={running} onClick={() => void decide([data], 'pass').then(onClose)}>
            同意
          </Button>
        )}
        {data.actions.includes('reject') && (
          <Button danger loading={running} onClick={() => void decide([data], 'reject').then(onClose)}>
            驳回
          </Button>
        )}
        {data.actions.includes('withdraw') && (
          <Button loading={running} onClick={() => void decide([data], 'withdraw').then(onClose)}>
            撤回
          </Button>
        )}
        {data.state === fixStates.passed && data.kind !== 'revoke' && (
          <Button
            onClick={() =>
              setWanted({
                kind: 'revoke',
                projectCode: data.projectCode,
                who: `${data.name ?? '全项目'} ${data.kindName}`,
                date: data.workDay ?? '',
                target: data.id,
              })
            }
          >
            申请撤销
          </Button>
        )}
      </div>
      {wanted && <FixDrawer wanted={wanted} onClose={() => setWanted(undefined)} />}
    </div>
  )
}
