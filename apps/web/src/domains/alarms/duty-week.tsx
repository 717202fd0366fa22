import { LeftOutlined, PlusOutlined, RightOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { dayMs } from '@zhugong/contract/kit/time'
import { copyDuty, createDuty, deleteDuty, listDuty, updateDuty } from '@zhugong/contract/notify/endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, TimeInput } from '#kit/inputs.tsx'
import { useNow } from '#kit/live.ts'
import { gapsOn, onDutyNow, shiftsOn, weekdays, weekOf } from './duty-words.ts'

const { Field } = formOf(createDuty, updateDuty, copyDuty)

type Row = OutputFor<typeof listDuty>['list'][number]
type Editing = { row: Row } | { date: string }

/** Duty list of a site for one week; hours without anybody on duty are red. */
export function DutyWeek({ projectCode }: { projectCode: string }) {
  const now = useNow(60_000)
  const maySet = useCan(createDuty, { projectCode })
  const [shift, setShift] = useState(0)
  const [editing, setEditing] = useState<Editing>()
  const days = weekOf(now, shift)
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const { data, error, isPending, refetch } = useCall(
    listDuty,
    { query: { projectCode, from: `${first} 00:00:00`, to: `${last} 23:59:59` } },
    { quiet: true, keepPrevious: true },
  )
  const today = day(now)
  const shifts = data?.list ?? []
  const copy = useAct(copyDuty, {
    success: ({ copied, left }) => `已沿用上周 ${copied} 班${left ? `，${left} 班已过时、已排或人员已离开，未沿用` : ''}`,
    refreshes: [listDuty],
  })
  const present = onDutyNow(shifts, now)
  return (
    <Card
      title="值班表"
      remark={shift === 0 ? '本周' : `${first.slice(5)} 至 ${last.slice(5)}`}
      actions={
        <>
          {maySet && last >= today && (
            <Button
              type="text"
              size="small"
              loading={copy.running}
              onClick={() => void copy.run({ query: { projectCode }, body: { week: first } })}
            >
              沿用上周
            </Button>
          )}
          <Button type="text" size="small" icon={<LeftOutlined />} aria-label="上一周" onClick={() => setShift(shift - 1)} />
          {shift !== 0 && (
            <Button type="text" size="small" onClick={() => setShift(0)}>
              本周
            </Button>
          )}
          <Button type="text" size="small" icon={<RightOutlined />} aria-label="下一周" onClick={() => setShift(shift + 1)} />
        </>
      }
      flush
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : isPending ? (
        <TableSkeleton rows={7} columns={2} />
      ) : (
        <>
          {shift === 0 && (
            <div className={`duty-now ${present.length ? '' : 'bad'}`}>
              {present.length ? (
                <>
                  现在值班 <b>{present.map((one) => one.userName).join('、')}</b>
                  <span className="zg-2">{present[0]?.phoneMask}</span>
                </>
              ) : (
                '现在无人值班，发给值班人员的通知不会送达'
              )}
            </div>
          )}
          <ol className="duty-week">
            {days.map((date, i) => {
              const own = shiftsOn(date, shifts)
              const gaps = date >= today ? gapsOn(date, shifts, date === today ? now : 0) : []
              return (
                <li key={date} className={date === today ? 'today' : date < today ? 'past' : ''}>
                  <span className="duty-day">
                    <b>{weekdays[i]}</b>
                    {date.slice(5)}
                  </span>
                  <div>
                    {own.map((one) => (
                      <button
                        key={one.shift.id}
                        type="button"
                        className="zg-bare duty-shift"
                        disabled={!maySet}
                        title={one.shift.remark || one.shift.phoneMask || ''}
                        onClick={() => setEditing({ row: one.shift })}
                      >
                        {one.shift.userName}
                        <span className="zg-2">
                          {one.from}-{one.until}
                        </span>
                      </button>
                    ))}
                    {own.length === 0 && date < today && <span className="zg-2">未排班</span>}
                    {gaps.length > 0 && (
                      <Tag tone="danger">{own.length === 0 ? '无人' : `${gaps.map((g) => `${g.from}-${g.until}`).join('、')} 无人`}</Tag>
                    )}
                  </div>
                  {maySet && date >= today && (
                    <Button
                      type="text"
                      size="small"
                      icon={<PlusOutlined />}
                      aria-label={`${date} 添加值班`}
                      onClick={() => setEditing({ date })}
                    />
                  )}
                </li>
              )
            })}
          </ol>
        </>
      )}
      {editing && (
        <DutyForm projectCode={projectCode} people={data?.people ?? []} editing={editing} onClose={() => setEditing(undefined)} />
      )}
    </Card>
  )
}

const nextDay = (date: string) => new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)

function DutyForm({
  projectCode,
  people,
  editing,
  onClose,
}: {
  projectCode: string
  people: readonly { id: string; name: string; roles: string[] }[]
  editing: Editing
  onClose: () => void
}) {
  const create = useAct(createDuty, { success: '已排班' })
  const change = useAct(updateDuty, { success: '已更改' })
  const removal = useAct(deleteDuty, { success: '已删除' })
  const fields = (
    <>
      <Field name="userId" label="值班人" required span="all">
        <Choice
          clear={false}
          options={people.map((one) => ({ value: one.id, label: [one.name, one.roles.join('、')].filter(Boolean).join('，') }))}
        />
      </Field>
      <Field name="fromTime" label="开始" required>
        <TimeInput />
      </Field>
      <Field name="untilTime" label="结束" required>
        <TimeInput />
      </Field>
      <Field name="remark" label="备注" span="all">
        <Input />
      </Field>
    </>
  )
  if ('date' in editing) {
    return (
      <FormDrawer
        open
        narrow
        width={420}
        title="添加值班"
        remark={editing.date}
        act={create}
        initial={{ fromTime: `${editing.date} 08:00:00`, untilTime: `${nextDay(editing.date)} 08:00:00` }}
        onClose={onClose}
        input={(values: Values) => ({ query: { projectCode }, body: values })}
      >
        {fields}
      </FormDrawer>
    )
  }
  const { row } = editing
  const remove = async () => {
    const yes = await confirmDanger({
      thing: `删除 ${row.userName} 的值班`,
      consequence: `${row.fromTime} 至 ${row.untilTime} 将无人接收值班通知。`,
      verb: '删除值班',
      keep: '不删除',
    })
    if (yes && (await removal.run({ params: { id: row.id }, query: { projectCode } }))) onClose()
  }
  return (
    <FormDrawer
      open
      narrow
      width={420}
      title="修改值班"
      remark={row.userName}
      act={change}
      initial={{ userId: row.userId, fromTime: row.fromTime, untilTime: row.untilTime, remark: row.remark }}
      onClose={onClose}
      input={(values: BodyOf<typeof updateDuty>) => ({
        params: { id: row.id },
        query: { projectCode },
        body: { ...values, version: row.version },
      })}
    >
      {fields}
      <Button danger className="zg-from-start" loading={removal.running} onClick={() => void remove()}>
        删除这次值班
      </Button>
    </FormDrawer>
  )
}
