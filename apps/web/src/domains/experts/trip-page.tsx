import { PlusOutlined } from '@ant-design/icons'
import { changeTrip, createTrip, listTrips, type TripRow, tripList } from '@zhugong/contract/experts/activities'
import { payers, type TripAction, tripMoves, tripStates } from '@zhugong/contract/experts/moves'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { thousands } from '#kit/format.ts'
import { AreaInput, Choice, DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { inDays, today } from './days.ts'
import { ExpertChoice, TripStateTag } from './expert-words.tsx'
import { TripLine } from './trip-line.tsx'
import './experts.css'

const path = '/person/expert/outActivity'
const anywhere = { projectCode: '*' }
const states = Object.entries(tripStates).map(([value, label]) => ({ value, label }))
const payerOptions = Object.entries(payers).map(([value, label]) => ({ value, label }))
const views = [
  { value: 'list', label: '列表' },
  { value: 'line', label: '时间线' },
]

/** Who is sent or invited away, for how long, who pays, and is the report there? */
export default function TripPage() {
  const list = useListPage(tripList, { scope: anywhere })
  const { data } = useCall(listTrips, { query: { ...anywhere, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const [view, setView] = useState('list')
  const [creating, setCreating] = useState(false)
  const [returning, setReturning] = useState<TripRow>()
  const [extending, setExtending] = useState<TripRow>()
  const act = useAct(changeTrip, { success: '已办理' })
  const columns = useColumns()
  const take = async (row: TripRow, action: TripAction) => {
    if (action === 'back') return setReturning(row)
    if (action === 'extend') return setExtending(row)
    const asks = action !== 'pass'
    const label = tripMoves[action].label
    const opinion = asks ? await askReason(`${label} ${row.expertName} 的外出`, `${label}原因`) : null
    if (asks && !opinion) return
    await act.run({ params: { id: row.id }, query: anywhere, body: { action, version: row.version, opinion } as BodyOf<typeof changeTrip> })
  }
  const toolbar = <Segmented options={views} value={view} onChange={setView} />
  return (
    <ListShell
      actions={
        <Can call={createTrip}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
            报备外出
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '待审批',
              value: thousands(counts?.waiting),
              unit: '项',
              tone: counts?.waiting ? 'warning' : undefined,
              href: `${path}?state=0`,
            },
            { label: '正在外出', value: thousands(counts?.away), unit: '人次' },
            {
              label: '报告逾期',
              value: thousands(counts?.late),
              unit: '项',
              tone: counts?.late ? 'danger' : undefined,
              href: `${path}?late=true`,
            },
          ]}
        />
      }
    >
      {view === 'line' ? (
        <TripLine toolbar={toolbar} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="项"
          search={{ key: 'expertName', placeholder: '专家姓名' }}
          toolbar={toolbar}
          emptyHint="专家受邀或被派到外地，由管理员报备"
          filterWords={{ late: { title: '报告', words: { true: '逾期未交' } } }}
          actions={(row) => row.actions.map((one) => ({ label: one.label, onClick: () => void take(row, one.action as TripAction) }))}
        />
      )}
      {creating && <CreateDrawer onClose={() => setCreating(false)} />}
      {returning && <BackDrawer row={returning} onClose={() => setReturning(undefined)} />}
      {extending && <ExtendDrawer row={extending} onClose={() => setExtending(undefined)} />}
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof tripList>[] {
  const dicts = useDicts('expertActivityType')
  return [
    { key: 'expertName', width: 96, locked: true, filter: 'text', value: (r) => r.expertName },
    { key: 'activityType', width: 116, filter: 'multi', options: dicts.options('expertActivityType'), value: (r) => r.typeName },
    { key: 'inviter', width: 170, filter: 'text', value: (r) => r.inviter },
    { key: 'destination', width: 130, filter: 'area-cascader', value: (r) => r.destinationName },
    { key: 'startDate', width: 108, sort: true, filter: 'date-range', value: (r) => r.startDate },
    { key: 'endDate', width: 108, value: (r) => r.endDate },
    { key: 'days', width: 68, align: 'right', sort: true, value: (r) => r.days },
    { key: 'payer', width: 96, filter: 'multi', options: payerOptions, value: (r) => r.payerName },
    {
      key: 'report',
      width: 132,
      keeps: true,
      filter: 'checkbox-empty',
      value: (r) => (r.reportLate ? <span className="tone-danger">逾期未交</span> : r.report),
    },
    { key: 'state', width: 92, keeps: true, filter: 'multi', options: states, value: (r) => <TripStateTag row={r} /> },
  ]
}

const create = formOf(createTrip)

function CreateDrawer({ onClose }: { onClose: () => void }) {
  const dicts = useDicts('expertActivityType')
  const act = useAct(createTrip, { success: '已报备，待另一人审批' })
  const { Field } = create
  return (
    <FormDrawer
      open
      act={act}
      title="报备外出活动"
      initial={{ activityType: '5', startDate: inDays(1), endDate: inDays(2), payer: '1' }}
      input={(body: BodyOf<typeof createTrip>) => ({ query: anywhere, body })}
      onClose={onClose}
    >
      <Field name="expert" label="专家" required>
        <ExpertChoice />
      </Field>
      <Field name="activityType" label="类型" required>
        <Choice clear={false} options={dicts.options('expertActivityType')} />
      </Field>
      <Field name="inviter" label="邀请/派遣单位" required>
        <Input maxLength={100} />
      </Field>
      <Field name="destination" label="目的地" required>
        <AreaInput />
      </Field>
      <Field name="startDate" label="开始日期" required>
        <DayInput min={today()} />
      </Field>
      <Field name="endDate" label="结束日期" required>
        <DayInput min={today()} />
      </Field>
      <Field name="payer" label="费用承担" required>
        <Choice clear={false} options={payerOptions} />
      </Field>
      <Field name="content" label="内容" required span="all">
        <LongText rows={3} maxLength={1000} />
      </Field>
    </FormDrawer>
  )
}

const change = formOf(changeTrip)

function BackDrawer({ row, onClose }: { row: TripRow; onClose: () => void }) {
  const act = useAct(changeTrip, { success: '已销假' })
  const { Field } = change
  return (
    <FormDrawer
      open
      narrow
      width={520}
      act={act}
      title="销假"
      remark={`${row.expertName} ${row.inviter}`}
      initial={{ action: 'back', version: row.version, photos: [] }}
      input={(body) => ({ params: { id: row.id }, query: anywhere, body: body as unknown as BodyOf<typeof changeTrip> })}
      onClose={onClose}
    >
      <Field name="report" label="活动报告" required>
        <LongText rows={5} maxLength={1000} />
      </Field>
      <Field name="photos" label="照片">
        <Upload max={9} />
      </Field>
    </FormDrawer>
  )
}

function ExtendDrawer({ row, onClose }: { row: TripRow; onClose: () => void }) {
  const act = useAct(changeTrip, { success: '已延期' })
  const { Field } = change
  return (
    <FormDrawer
      open
      narrow
      width={480}
      act={act}
      title="延期"
      remark={`${row.expertName}，原至 ${row.endDate}`}
      initial={{ action: 'extend', version: row.version }}
      input={(body) => ({ params: { id: row.id }, query: anywhere, body: body as unknown as BodyOf<typeof changeTrip> })}
      onClose={onClose}
    >
      <Field name="endDate" label="延至" required>
        <DayInput min={row.endDate} />
      </Field>
      <Field name="opinion" label="原因" required>
        <LongText rows={2} maxLength={500} />
      </Field>
    </FormDrawer>
  )
}
