import { type CertDueRow, dueKinds, dueStates, type Urgency, urgencies } from '@zhugong/contract/personnel/certificate-model'
import { certDueList, certFigures, ignoreCerts, remindCerts } from '@zhugong/contract/personnel/certificates'
import { formalStates } from '@zhugong/contract/personnel/codes'
import { saveCert } from '@zhugong/contract/personnel/papers'
import { setFormal } from '@zhugong/contract/personnel/workers'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, FigureStrip, Tag, type Tone } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { useTeamOptions } from './team-options.ts'
import './personnel.css'
import { colors } from '#kit/colors.ts'

const CertDrawer = laterDialog(() => import('./cert-drawer.tsx').then((file) => file.CertDrawer))

const urgencyTones: Record<Urgency, Tone> = { missing: 'danger', expired: 'danger', '30': 'warning', '60': 'neutral', '90': 'neutral' }
const stateTones: Record<CertDueRow['state'], Tone> = { open: 'danger', reminded: 'warning', review: 'running', ignored: 'neutral' }
const options = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))

/** Whose right to do his work ends soon, or already has, while he is on site? */
export default function CertAlarmPage() {
  const scope = useProjectScope()
  const go = useGo()
  const dicts = useDicts('workerType', 'certType')
  const list = useListPage(certDueList, { scope, fixedQuery: { view: 'certAlarm' } })
  const figures = useCall(certFigures, { query: scope }, { quiet: true, staleMs: 30_000 })
  const { corps, teams } = useTeamOptions(scope)
  const [renewing, setRenewing] = useState<CertDueRow>()
  const remind = useAct(remindCerts, { success: false })
  const ignore = useAct(ignoreCerts, { success: false })
  const formal = useAct(setFormal, { success: false })
  const f = figures.data
  const many = scope.projectCode === '*'

  const itemsOf = (rows: readonly CertDueRow[]) => rows.map(({ projectWorkerId, subject }) => ({ projectWorkerId, subject }))
  const remindOf = async (rows: readonly CertDueRow[], clear: () => void = () => undefined) => {
    const done = await remind.run({ body: { items: itemsOf(rows) } })
    if (!done) return
    clear()
    const { told, done: sent, gone } = done.data
    const passed = gone ? `，${gone} 项已不需处理` : ''
    if (told) notify.success(`已提醒 ${sent} 项，通知 ${told} 位证书经办人${passed}`)
    else notify.warning(`已记 ${sent} 项提醒，项目和所在单位没有其他证书经办人账号${passed}`)
  }
  const ignoreOf = async (rows: readonly CertDueRow[], clear: () => void = () => undefined) => {
    const reason = await askReason(`忽略 ${rows.length === 1 ? `${rows[0]?.name} 的${rows[0]?.title}` : `${rows.length} 项`}`, '忽略原因')
    if (!reason) return
    const done = await ignore.run({ body: { items: itemsOf(rows), reason } })
    if (!done) return
    clear()
    notify.success(`已忽略 ${done.data.done} 项，换证后重新计算`)
  }
  const pause = async (rows: readonly CertDueRow[], clear: () => void = () => undefined) => {
    const people = [...new Map(rows.map((r) => [r.projectWorkerId, r.name])).entries()]
    const names = people.map(([, name]) => name)
    const yes = await confirmDanger({
      thing: `暂停 ${names.slice(0, 8).join('、')}${names.length > 8 ? ` 等 ${names.length} 人` : ''} 作业`,
      consequence: '收回门禁授权，恢复作业前须补齐证书并转正式。',
      verb: `暂停 ${names.length} 人`,
      keep: '不暂停',
    })
    if (!yes) return
    const reason = rows.some((r) => r.urgency === 'missing') ? '特种工种无有效证书' : '证书到期'
    const done = await formal.run({ body: { ids: people.map(([id]) => id), status: formalStates.paused, reason } })
    if (!done) return
    clear()
    const [failed] = done.data.failed
    if (failed) notify.warning(`已暂停 ${done.data.done} 人，${done.data.failed.length} 人未暂停：${failed.name} ${failed.message}`)
    else notify.success(`已暂停 ${done.data.done} 人`)
  }

  const columns: ColumnOf<typeof certDueList>[] = [
    {
      key: 'urgency',
      width: 88,
      locked: true,
      filter: 'multi',
      options: options(urgencies),
      value: (r) => (
        <Tag tone={urgencyTones[r.urgency]} icon={r.urgency === 'expired' || r.urgency === 'missing' ? undefined : false}>
          {urgencies[r.urgency]}
        </Tag>
      ),
    },
    {
      key: 'name',
      width: 80,
      locked: true,
      filter: 'text',
      sort: true,
      value: (r) => <Link to={hrefOf('/personnelSystem/info/certificate', { id: r.workerId })}>{r.name}</Link>,
    },
    { key: 'workType', width: 96, filter: 'tree-cascader', tree: dicts.tree('workerType'), value: (r) => r.workTypeName },
    { key: 'teamId', width: 110, filter: 'single', options: teams, value: (r) => r.teamName },
    { key: 'corpCode', width: 170, hidden: !many, filter: 'single', options: corps, value: (r) => r.corpName },
    { key: 'projectName', width: 170, hidden: !many, weak: true, value: (r) => r.projectName },
    { key: 'dueKind', width: 110, hidden: true, filter: 'multi', options: options(dueKinds), value: (r) => dueKinds[r.kind] },
    {
      key: 'title',
      width: 190,
      filter: 'text',
      value: (r) => (
        <span title={r.required ? '本工种或岗位要求的证书' : '本工种不要求，到期不影响进场条件'}>
          {r.title}
          {!r.required && <span className="zg-2"> · 非必需</span>}
        </span>
      ),
    },
    { key: 'certNo', width: 130, weak: true, filter: 'text', value: (r) => <span className="zg-num">{r.certNo}</span> },
    { key: 'validEnd', width: 100, sort: true, filter: 'date-range', value: (r) => r.validEnd },
    {
      key: 'daysLeft',
      width: 96,
      align: 'right',
      filter: 'numeric-range',
      value: (r) => <DaysLeft days={r.daysLeft} />,
    },
    { key: 'lastPass', width: 152, filter: 'date-range', value: (r) => <LastPass row={r} /> },
    {
      key: 'attendEnabled',
      width: 76,
      filter: 'single',
      options: [
        { value: '1', label: '已授权' },
        { value: '0', label: '未授权' },
      ],
      value: (r) => (r.attendEnabled ? '已授权' : <span className="zg-2">未授权</span>),
    },
    {
      key: 'dueState',
      width: 110,
      filter: 'multi',
      options: options(dueStates),
      value: (r) => (
        <span title={r.ignored ? `${r.ignored.by} ${r.ignored.time}：${r.ignored.reason}` : r.reminded.join('\n')}>
          <Tag tone={stateTones[r.state]} icon={false}>
            {dueStates[r.state]}
            {r.state === 'reminded' && ` ${r.reminded.length} 次`}
          </Tag>
        </span>
      ),
    },
    { key: 'reminded', width: 152, hidden: true, value: (r) => r.reminded.at(-1) },
  ]

  return (
    <ListShell
      remark="在场人员的证书、身份证件，到期前 90 天起"
      strip={
        <FigureStrip
          loading={figures.isPending}
          items={[
            {
              label: '已过期仍在场',
              value: thousands(f?.expired),
              unit: '项',
              tone: f?.expired ? 'danger' : undefined,
              remark: f?.expiredPassed ? `${f.expiredPassed} 项的本人昨日以来过闸` : f ? '昨日以来无人过闸' : undefined,
              remarkTone: f?.expiredPassed ? 'danger' : undefined,
              href: '/certificate/alarm?urgency=expired',
            },
            {
              label: '特种工种缺证',
              value: thousands(f?.missing),
              unit: '人',
              tone: f?.missing ? 'danger' : undefined,
              remark: '未审核通过的不算',
              href: '/certificate/alarm?urgency=missing',
            },
            {
              label: '30 日内到期',
              value: thousands(f?.within30),
              unit: '项',
              tone: f?.within30 ? 'warning' : undefined,
              href: '/certificate/alarm?urgency=30',
            },
            {
              label: '90 日内到期',
              value: f ? thousands(f.within30 + f.within60 + f.within90) : undefined,
              unit: '项',
              remark: f?.review ? `新证待审 ${f.review}` : undefined,
              href: '/certificate/alarm?urgency=30,60,90',
            },
            {
              label: '已忽略',
              value: thousands(f?.ignored),
              unit: '项',
              href: '/certificate/alarm?dueState=ignored',
            },
          ]}
        />
      }
      above={
        <Card title="未来 13 周到期" remark="点一周看当周的人；蓝色为本工种或岗位必需" flush>
          <Chart
            height={132}
            label={weekWords(f?.weeks ?? [])}
            onClick={({ dataIndex }) => {
              const week = f?.weeks[dataIndex]
              if (week) list.setFilters({ validEnd: `${week.from},${week.to}`, urgency: undefined })
            }}
            option={{
              grid: { left: 36, right: 16, top: 24, bottom: 24 },
              legend: { top: 0, right: 16, itemWidth: 10, itemHeight: 10 },
              tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
              xAxis: { type: 'category', data: (f?.weeks ?? []).map((w) => w.from.slice(5)) },
              yAxis: { type: 'value', minInterval: 1 },
              series: [
                {
                  name: '必需',
                  type: 'bar',
                  stack: 'all',
                  barMaxWidth: 28,
                  color: colors.primary,
                  data: (f?.weeks ?? []).map((w) => w.required),
                },
                {
                  name: '非必需',
                  type: 'bar',
                  stack: 'all',
                  barMaxWidth: 28,
                  color: colors.navText2,
                  data: (f?.weeks ?? []).map((w) => w.other),
                },
              ],
            }}
          />
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="项"
        search={{ key: 'name', placeholder: '姓名' }}
        emptyHint="90 天内没有到期的证书，也没有缺证的特种工种"
        rowClass={(r) => (r.urgency === 'expired' && r.attendEnabled ? 'per-due-row' : '')}
        onRow={(r) => go('/personnelSystem/info/certificate', { id: r.workerId })}
        actions={(r) => [
          r.kind !== 'idCard' && { label: r.certId ? '上传新证' : '补录证书', needs: saveCert, onClick: () => setRenewing(r) },
          r.kind === 'idCard' && { label: '更新证件', href: hrefOf('/personListEdit', { id: r.workerId }), needs: saveCert },
          r.state !== 'ignored' && { label: '提醒', needs: remindCerts, onClick: () => void remindOf([r]) },
          r.formalStatus === formalStates.formal && { label: '暂停作业', danger: true, needs: setFormal, onClick: () => void pause([r]) },
          { label: '人员详情', href: hrefOf('/personListDetails', { id: r.projectWorkerId, workerId: r.workerId }) },
          r.state !== 'ignored' && { label: '忽略', needs: ignoreCerts, onClick: () => void ignoreOf([r]) },
        ]}
        selection={{
          unit: '项',
          actions: (rows, clear) => (
            <>
              <Can call={remindCerts}>
                <Button loading={remind.running} onClick={() => void remindOf(rows, clear)}>
                  提醒经办人
                </Button>
              </Can>
              <Can call={ignoreCerts}>
                <Button onClick={() => void ignoreOf(rows, clear)}>忽略</Button>
              </Can>
              <Can call={setFormal}>
                <Button danger loading={formal.running} onClick={() => void pause(rows, clear)}>
                  暂停作业
                </Button>
              </Can>
            </>
          ),
        }}
      />
      {renewing && (
        <CertDrawer
          workerId={renewing.workerId}
          row={{
            certType: renewing.certType || undefined,
            specialType: renewing.specialType || undefined,
            name: renewing.title,
          }}
          onClose={() => setRenewing(undefined)}
        />
      )}
    </ListShell>
  )
}

function DaysLeft({ days }: { days: number | null }) {
  if (days === null) return <span className="tone-danger">无证</span>
  if (days < 0) return <b className="tone-danger">过期 {-days} 天</b>
  return <span className={days <= 30 ? 'tone-warning' : undefined}>{days === 0 ? '今天' : `${days} 天`}</span>
}

/** Who passes a gate after his paper has ended stands out. */
function LastPass({ row }: { row: CertDueRow }) {
  if (!row.lastPass) return <span className="zg-2">--</span>
  const after = row.validEnd !== null && row.lastPass.slice(0, 10) > row.validEnd
  return after ? <span className="tone-danger">{time(row.lastPass)}</span> : time(row.lastPass)
}

const weekWords = (weeks: readonly { from: string; required: number; other: number }[]): string =>
  `未来 13 周每周到期的证件：${weeks.map((w) => `${w.from} 起 ${w.required + w.other} 项`).join('，') || '没有'}`
