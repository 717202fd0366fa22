import { dueKinds, noticeState, noticeStates } from '@zhugong/contract/equipment/codes'
import { listFactories } from '@zhugong/contract/equipment/library-endpoints'
import {
  type DueRow,
  dueList,
  getDueSetting,
  listDues,
  renewDues,
  saveDueSetting,
  updateDue,
} from '@zhugong/contract/equipment/service-endpoints'
import { Button, InputNumber } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { DayCalendar, thisMonth } from '#kit/day-calendar.tsx'
import { FigureStrip, Tag, type Tone } from '#kit/feedback.tsx'
import { DayInput, Upload } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { monthGrid } from '#kit/month-grid.ts'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Words } from './brand-form-page.tsx'
import { placeOf } from './device-words.tsx'
import './equipment.css'

const optionsOf = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const noticeTones: Readonly<Record<string, Tone>> = { '0': 'neutral', '1': 'running', '2': 'fine' }

function LeftTag({ days }: { days: number }) {
  if (days > 30) return <>剩 {days} 天</>
  return (
    <Tag tone={days < 0 ? 'danger' : days <= 7 ? 'danger' : 'warning'}>
      {days < 0 ? `已过期 ${-days} 天` : days === 0 ? '今天到期' : `剩 ${days} 天`}
    </Tag>
  )
}

/** What expires, when, and who renews it. */
export default function DuePage() {
  const projectCode = useProjectCode()
  const list = useListPage(dueList, { scope: useMemo(() => ({ projectCode }), [projectCode]), defaultSort: 'daysLeft' })
  const counts = useCall(listDues, { query: { projectCode, size: 1 } }, { quiet: true })
  const providers = useCall(listFactories, { query: { kind: 'provider', size: 1000, sort: 'name' } }, { quiet: true })
  const [renewing, setRenewing] = useState<readonly DueRow[]>()
  const [setting, setSetting] = useState(false)
  const act = useAct(updateDue, { success: '已登记' })
  const tell = async (row: DueRow) => {
    const to = await askReason(
      `登记已通知：${row.deviceName} 的${dueKinds[row.kind as keyof typeof dueKinds] ?? ''}`,
      '通知了谁（责任人或供应商）',
    )
    if (to) void act.run({ params: { id: row.deviceId, dueId: row.id }, body: { noticedTo: to.slice(0, 50) } })
  }
  const dismiss = (row: DueRow) =>
    act.afterRequesting(
      {
        thing: `不再续期 ${row.deviceName}`,
        consequence: '此项不再提醒，可在“已处理”中查到。',
        verb: '不再续期',
        keep: '保留提醒',
      },
      { params: { id: row.deviceId, dueId: row.id }, body: { dismiss: true } },
    )
  const columns: ColumnOf<typeof dueList>[] = [
    {
      key: 'kind',
      width: 104,
      locked: true,
      sort: true,
      filter: 'multi',
      options: optionsOf(dueKinds),
      value: (row) => dueKinds[row.kind as keyof typeof dueKinds] ?? row.kind,
    },
    {
      key: 'deviceName',
      width: 120,
      sort: true,
      filter: 'text',
      value: (row) => (
        <Link to={hrefOf('/administrationDetails', { id: row.deviceId })}>
          {row.deviceName} <span className="zg-2">{row.familyName}</span>
        </Link>
      ),
    },
    ...(projectCode === '*'
      ? [
          {
            key: 'projectName',
            width: 150,
            sort: true,
            filter: 'text',
            value: (row: DueRow) => row.projectName,
          } satisfies ColumnOf<typeof dueList>,
        ]
      : []),
    { key: 'dueDate', width: 100, sort: true, filter: 'date-range', value: (row) => row.dueDate },
    { key: 'daysLeft', width: 112, sort: true, filter: 'numeric-range', value: (row) => <LeftTag days={row.daysLeft} /> },
    { key: 'owner', width: 84, hidden: true, value: (row) => row.owner },
    {
      key: 'noticeState',
      width: 84,
      sort: true,
      filter: 'multi',
      options: optionsOf(noticeStates),
      value: (row) => (
        <span title={row.noticedAt ? `${row.noticedAt} 通知 ${row.noticedTo}` : ''}>
          <Tag tone={noticeTones[row.noticeState] ?? 'neutral'} icon={false}>
            {noticeStates[row.noticeState as keyof typeof noticeStates] ?? row.noticeState}
          </Tag>
        </span>
      ),
    },
    {
      key: 'providerName',
      width: 120,
      filter: 'single',
      filterKey: 'providerId',
      options: (providers.data?.list ?? []).map((one) => ({ value: one.id, label: one.name })),
      value: (row) => row.providerName,
    },
  ]
  const c = counts.data?.counts
  return (
    <ListShell
      titleActions={
        <Can call={saveDueSetting}>
          <Button onClick={() => setSetting(true)}>提醒设置</Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '已过期', value: c?.overdue, unit: '项', tone: c?.overdue ? 'danger' : undefined },
            { label: '7 日内', value: c?.week, unit: '项', tone: c?.week ? 'danger' : undefined },
            { label: '30 日内', value: c?.month, unit: '项', tone: c?.month ? 'warning' : undefined },
            { label: '本月已处理', value: c?.handled, unit: '项', tone: 'fine' },
          ]}
        />
      }
      right={<Calendar projectCode={projectCode} onDay={(date) => list.setFilter('dueDate', date ? `${date},${date}` : undefined)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="项"
        search={{ key: 'deviceName', placeholder: '设备名称' }}
        rowClass={(row) => (row.daysLeft < 0 ? 'eq-overdue' : '')}
        place={placeOf}
        actions={(row) => [
          { label: '登记续期', needs: updateDue, onClick: () => setRenewing([row]) },
          row.noticeState !== noticeState.done && { label: '登记通知', needs: updateDue, onClick: () => tell(row) },
          row.noticeState !== noticeState.done && {
            label: '不再续期',
            needs: updateDue,
            danger: true,
            disabled: row.needsPaper && row.files.length === 0 && '须登记续期并上传证明',
            onClick: () => dismiss(row),
          },
        ]}
        selection={{
          unit: '项',
          actions: (rows) => (
            <Can call={renewDues} at={rows.map(placeOf)}>
              <Button onClick={() => setRenewing(rows)}>批量续期</Button>
            </Can>
          ),
        }}
        emptyHint="在设备档案中登记服务费、流量卡、检定与检验的到期日，这里按剩余天数排列"
      />
      {renewing && <Renew rows={renewing} onClose={() => setRenewing(undefined)} />}
      {setting && <Setting onClose={() => setSetting(false)} />}
    </ListShell>
  )
}

function Renew({ rows, onClose }: { rows: readonly DueRow[]; onClose: () => void }) {
  const [dueDate, setDueDate] = useState<string>()
  const [files, setFiles] = useState<string[]>([])
  const act = useAct(renewDues, { success: `已续期 ${rows.length} 项`, onDone: onClose })
  const needsPaper = rows.some((row) => row.needsPaper)
  const latest =
    rows
      .map((row) => row.dueDate)
      .sort()
      .at(-1) ?? ''
  return (
    <PageModal
      open
      title={rows.length === 1 ? `续期 ${rows[0]?.deviceName}` : `批量续期 ${rows.length} 项`}
      okText="登记续期"
      okButtonProps={{ loading: act.running, disabled: !dueDate || (needsPaper && files.length === 0) }}
      onOk={() =>
        void act.run({ body: { items: rows.map((row) => ({ deviceId: row.deviceId, dueId: row.id })), dueDate: dueDate ?? '', files } })
      }
      onCancel={onClose}
    >
      <div className="zg-stack">
        <label htmlFor="renew-date">新的到期日（晚于 {latest}）</label>
        <DayInput id="renew-date" min={latest} value={dueDate ?? null} onChange={setDueDate} />
        <span>证明文件{needsPaper ? '（检定、标定与检验必须上传）' : ''}</span>
        <Upload value={files} onChange={setFiles} max={5} accept="image/*,.pdf" maxMb={10} />
      </div>
    </PageModal>
  )
}

function Setting({ onClose }: { onClose: () => void }) {
  const known = useCall(getDueSetting, {}, { staleMs: 0, quiet: true })
  const [days, setDays] = useState<number[]>()
  const [receivers, setReceivers] = useState<string[]>()
  const act = useAct(saveDueSetting, { onDone: onClose })
  const shownDays = days ?? known.data?.days ?? [30, 7, 1]
  const shownReceivers = receivers ?? known.data?.receivers ?? []
  return (
    <PageModal
      open
      title="到期提醒设置"
      okButtonProps={{ loading: act.running }}
      onOk={() => void act.run({ body: { days: shownDays, receivers: shownReceivers } })}
      onCancel={onClose}
    >
      <p>提前天数</p>
      <div className="zg-row zg-below-12">
        {[0, 1, 2].map((index) => (
          <InputNumber
            key={index}
            aria-label={`提前天数 ${index + 1}`}
            min={0}
            max={365}
            suffix="天"
            value={shownDays[index] ?? null}
            onChange={(n) => setDays(Object.assign([...shownDays], { [index]: n ?? 0 }))}
          />
        ))}
      </div>
      <label htmlFor="due-receivers">接收人（岗位或姓名）</label>
      <Words id="due-receivers" value={shownReceivers} onChange={(next) => setReceivers(next ?? [])} />
    </PageModal>
  )
}

/** Month calendar with the number of entries that expire on each day. */
function Calendar({ projectCode, onDay }: { projectCode: string; onDay: (date: string | undefined) => void }) {
  const [month, setMonth] = useState(thisMonth)
  const [chosen, setChosen] = useState<string>()
  const grid = useMemo(() => monthGrid(month), [month])
  const read = useCall(
    listDues,
    { query: { projectCode, dueDate: `${grid[0]?.[0] ?? ''},${grid.at(-1)?.[6] ?? ''}`, size: 1000 } },
    { quiet: true, keepPrevious: true },
  )
  const counts = useMemo(
    () => new Map([...Map.groupBy(read.data?.list ?? [], (row) => row.dueDate)].map(([date, rows]) => [date, rows.length])),
    [read.data],
  )
  return (
    <aside className="eq-calendar">
      <DayCalendar
        month={month}
        onMonth={setMonth}
        counts={counts}
        chosen={chosen}
        onDay={(next) => {
          setChosen(next)
          onDay(next)
        }}
        remark="数字为当天到期的项数，红色已过期；点一天只看那天"
      />
    </aside>
  )
}
